package dev.standpipe.internal.engine;

import dev.standpipe.internal.engine.claim.BodyDispatcher;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.spi.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs that are started with their first tasks leased to this process, so that no process has to
 * claim them. Thread-safe.
 */
public final class LeasedStarts {
  private final ProcessState processState;
  private final ServedPipelines servedPipelines;
  private final BodyDispatcher dispatcher;
  private final Tasks tasks;
  private final Runnable noticed;

  /**
   * Takes up runs.
   *
   * @param noticed hears of every run that is taken up
   */
  LeasedStarts(
      ProcessState processState,
      ServedPipelines servedPipelines,
      BodyDispatcher dispatcher,
      Tasks tasks,
      Runnable noticed) {
    this.processState = processState;
    this.servedPipelines = servedPipelines;
    this.dispatcher = dispatcher;
    this.tasks = tasks;
    this.noticed = noticed;
  }

  /**
   * Sets room aside for the first tasks of a run, so that they can be started already leased.
   *
   * @return the owner to lease them to, or {@code null} if there is no room
   */
  public @Nullable UUID reserve(int lane, int count) {
    ProcessLease lease = processState.lease();
    if (servedPipelines.find(lane) == null
        || !lease.isTrusted()
        || processState.capacity().isPaused(lane)) {
      return null;
    }
    int granted = processState.capacity().reserve(count);
    if (granted == count) {
      return lease.id();
    }
    processState.capacity().unreserve(granted);
    return null;
  }

  /** Gives up room that was set aside for a run that was not started. */
  public void unreserve(int count) {
    processState.capacity().unreserve(count);
  }

  /** Starts a run; meanwhile no reconciler compares the held tries with the database. */
  public <T> T moving(Supplier<T> action) {
    return processState.inFlight().moving(action);
  }

  /** Notes that it is not known whether a start took effect. */
  public void doubt() {
    processState.doubt();
  }

  /** Takes up the first tasks of a run that was started leased to this process. */
  public void takeUp(UUID owner, int lane, NewRun run, List<Entry> entries) {
    noticed.run();
    List<Attempt> attempts = new ArrayList<>();
    for (Entry entry : entries) {
      TaskRef ref = new TaskRef(run.id(), entry.task(), 1);
      Claimed task =
          new Claimed(ref, entry.node(), 0, lane, run.priority(), 1, 0, true, 0, run.input());
      Attempt attempt = Attempt.of(owner, servedPipelines.pipeline(lane), task);
      processState.inFlight().add(attempt);
      if (processState.events().perStep()) {
        processState.events().publish(new Event.LeaseAcquired(attempt.step(), owner));
      }
      attempts.add(attempt);
    }
    dispatcher.dispatch(tasks, attempts);
  }
}

package dev.standpipe.internal.engine.operate;

import dev.standpipe.Lane;
import dev.standpipe.RunStatus;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.client.Arguments;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.client.RunStopper;
import dev.standpipe.internal.engine.client.RunWaiters;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Bulk;
import dev.standpipe.operate.Fork;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Pause;
import dev.standpipe.operate.Revive;
import dev.standpipe.operate.RunFilter;
import dev.standpipe.outbox.Outbox;
import dev.standpipe.schedule.Schedules;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An operator's actions on runs. */
public final class RunOperations implements Operator {
  private static final Duration LONGEST_GRACE = Duration.ofDays(1);
  private static final int MOST = 1_000;

  private final String by;
  private final Store store;
  private final RunEndListeners ends;
  private final RunStopper stopper;
  private final @Nullable Engine engine;
  private final Starter starter;
  private final SignalOperations signals;
  private final Runnable announce;
  private final PauseOperations pauses;

  /**
   * What operations work with.
   *
   * @param store the rows
   * @param ends tells of runs that end
   * @param engine this process's, if it serves anything
   * @param starter starts runs
   * @param signals takes signals
   * @param announce tells all processes that there are tasks to take
   */
  public record OperationDeps(
      Store store,
      RunEndListeners ends,
      @Nullable Engine engine,
      Starter starter,
      SignalOperations signals,
      Runnable announce) {}

  public RunOperations(String by, OperationDeps deps) {
    this.by = by;
    this.store = deps.store();
    this.ends = deps.ends();
    this.engine = deps.engine();
    this.stopper = new RunStopper(store, engine == null ? run -> {} : engine::interrupt, ends);
    this.starter = deps.starter();
    this.signals = deps.signals();
    this.announce = deps.announce();
    this.pauses = new PauseOperations(deps);
  }

  @Override
  public Outbox outbox() {
    return new OutboxOperations(by, store.outbox(), announce);
  }

  @Override
  public Schedules schedules() {
    return new ScheduleOperations(by, store, starter::input, announce);
  }

  @Override
  public RunStatus cancel(UUID run, String reason, Duration grace) {
    Audited audited = Arguments.audited(by, reason);
    Arguments.require(
        !grace.isNegative() && grace.compareTo(LONGEST_GRACE) <= 0,
        "A grace of " + grace + " cannot be: give zero to one day");
    long micros = TimeUnit.NANOSECONDS.toMicros(grace.toNanos());
    RunStatus status =
        store.runs().cancel(run, micros, audited).orElseThrow(() -> new UnknownRunException(run));
    if (status != RunStatus.CANCELING) {
      if (find(run).cancellation().isPresent()) {
        return status;
      }
      throw new RunEndedException(run, status);
    }
    stopper.stop(run);
    return find(run).status();
  }

  @Override
  public void revive(UUID run, String reason, Revive options) {
    Audited audited = Arguments.audited(by, reason);
    int times = store.quarantines().revived(run); // before anything else is read of it
    RunInfo stopped = find(run);
    requireStopped(stopped);
    requireBegun(run);
    options.node().ifPresent(node -> requireOnly(run, node));
    store.calls().children(run).forEach(called -> reviveCalled(called, reason));
    Resume resume = RevivePlanner.of(store, run);
    Revival revival = new Revival(times, options.retryLimit(), audited);
    if (!store.quarantines().revive(resume, revival)) {
      throw NotRevivableException.notStopped(run, find(run).status());
    }
    endIfNothingStarts(stopped.pipeline(), resume);
    announce.run();
  }

  /**
   * Revives the called runs first: the caller then finds them running, also if a process dies in
   *
   * <p>between.
   */
  private void reviveCalled(UUID called, String reason) {
    switch (find(called).status()) {
      case HALTED, FAILED, CANCELED -> revive(called, reason);
      case HALTING, CANCELING, COMPENSATING -> throw new RunHaltingException(called);
      case WAITING,
          RUNNING,
          PAUSED,
          FINISHING,
          SUCCEEDED,
          SKIPPED,
          COMPENSATED,
          COMPENSATION_FAILED -> {}
    }
  }

  @Override
  public UUID rerun(UUID run, String reason) {
    Audited audited = Arguments.audited(by, reason);
    RunInfo original = find(run);
    requireBegun(run);
    Registered newest =
        store
            .definitions()
            .newest(original.pipeline())
            .orElseThrow(() -> new UnknownPipelineException(original.pipeline()));
    return starter.batch(newest).rerun(store, original, audited);
  }

  @Override
  public boolean pause(UUID run, String reason) {
    return pauses.pause(run, Arguments.audited(by, reason));
  }

  @Override
  public void resume(UUID run, String reason) {
    pauses.resume(run, Arguments.audited(by, reason));
  }

  @Override
  public boolean pause(String pipeline, String reason) {
    return pauses.pause(pipeline, Arguments.audited(by, reason));
  }

  @Override
  public void resume(String pipeline, String reason) {
    pauses.resume(pipeline, Arguments.audited(by, reason));
  }

  @Override
  public boolean pause(Lane lane, String reason) {
    return pauses.pause(lane, Arguments.audited(by, reason));
  }

  @Override
  public void resume(Lane lane, String reason) {
    pauses.resume(lane, Arguments.audited(by, reason));
  }

  @Override
  public List<Pause> pauses() {
    return pauses.list();
  }

  @Override
  public boolean approve(UUID run, String key, int index, String comment) {
    return answer(new StepId(run, key, index), true, comment);
  }

  @Override
  public boolean reject(UUID run, String key, int index, String comment) {
    return answer(new StepId(run, key, index), false, comment);
  }

  private boolean answer(StepId step, boolean approved, String comment) {
    Arguments.require(step.index() >= 0, "Elements are counted from 0, not from " + step.index());
    return signals.answer(step, approved, Arguments.audited(by, comment));
  }

  @Override
  public Bulk bulk(RunFilter filter) {
    return new BulkOperations(this, store.runQueries(), filter);
  }

  @Override
  public List<RunInfo> list(RunFilter filter, int limit) {
    Arguments.require(
        limit >= 1 && limit <= MOST, "A list must be of 1 to " + MOST + ", was " + limit);
    return store.runQueries().newest(BulkOperations.named(filter), limit);
  }

  @Override
  public UUID fork(UUID run, String node, String reason, Fork options) {
    Audited audited = Arguments.audited(by, reason);
    RunInfo original = find(run);
    UUID fresh = starter.freshId();
    Resume resume = starter.forker(store).fork(original, node, options, fresh, audited);
    endIfNothingStarts(original.pipeline(), resume);
    announce.run();
    return fresh;
  }

  private void endIfNothingStarts(String pipeline, Resume resume) {
    if (resume.tasks().isEmpty()) {
      ends.announce(
          new Event.RunFinished(resume.run(), pipeline, RunStatus.SUCCEEDED),
          RunWaiters.KnownEnd.SOMEHOW);
    }
  }

  private RunInfo find(UUID run) {
    return store.runQueries().find(run).orElseThrow(() -> new UnknownRunException(run));
  }

  private static void requireStopped(RunInfo run) {
    switch (run.status()) {
      case HALTED, FAILED, CANCELED -> {}
      case HALTING, CANCELING -> throw new RunHaltingException(run.id());
      case COMPENSATING, COMPENSATED, COMPENSATION_FAILED ->
          throw NotRevivableException.compensated(run.id(), run.status());
      case WAITING, RUNNING, PAUSED, FINISHING, SUCCEEDED, SKIPPED ->
          throw NotRevivableException.notStopped(run.id(), run.status());
    }
  }

  /** A run that waited for another's result has no input before it begins. */
  private void requireBegun(UUID run) {
    if (store.runQueries().value(run, GraphNode.INPUT_KEY, 0).isEmpty()) {
      throw NotRevivableException.neverBegun(run);
    }
  }

  private void requireOnly(UUID run, String node) {
    Set<String> failed = new TreeSet<>();
    for (StepInfo step : store.runQueries().steps(run)) {
      if (step.state() == StepState.FAILED || step.state() == StepState.QUARANTINED) {
        failed.add(step.node());
      }
    }
    if (!failed.equals(Set.of(node))) {
      throw NotRevivableException.notOnly(run, node, failed);
    }
  }
}

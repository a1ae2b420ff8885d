package dev.standpipe.internal.engine.operate;

import dev.standpipe.error.NotQuarantinedException;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.internal.engine.client.Arguments;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Release;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.operate.QuarantinedStep;
import java.util.List;

/** The quarantine as operators see it. */
public final class QuarantineOperations implements Quarantine {
  private static final int MOST = 1_000;

  private final Store store;
  private final Runnable announce;

  public QuarantineOperations(Store store, Runnable announce) {
    this.store = store;
    this.announce = announce;
  }

  @Override
  public List<QuarantinedStep> list(int limit) {
    Arguments.require(
        limit >= 1 && limit <= MOST, "A list must be of 1 to " + MOST + ", was " + limit);
    return store.quarantines().list(limit);
  }

  @Override
  public QuarantinedStep inspect(StepId step) {
    return store.quarantines().find(step).orElseThrow(() -> new NotQuarantinedException(step));
  }

  @Override
  public void release(StepId step, String by, String reason) {
    Audited audited = Arguments.audited(by, reason);
    int times = store.quarantines().revived(step.run()); // before anything else is read of it
    QuarantinedStep quarantined = inspect(step);
    store.runQueries().find(step.run()).ifPresent(QuarantineOperations::requireStopped);
    Resume resume = RevivePlanner.of(store, step.run());
    store.quarantines().release(quarantined, resume, new Release(times, audited));
    announce.run();
  }

  /** Steps of one that has not ended may yet finish, and would be started again. */
  private static void requireStopped(RunInfo run) {
    switch (run.status()) {
      case HALTING, CANCELING, FINISHING -> throw new RunHaltingException(run.id());
      case COMPENSATING, COMPENSATED, COMPENSATION_FAILED ->
          throw NotRevivableException.compensated(run.id(), run.status());
      case WAITING, RUNNING, PAUSED, SUCCEEDED, HALTED, FAILED, CANCELED, SKIPPED -> {}
    }
  }

  @Override
  public void discard(StepId step, String by, String reason) {
    Audited audited = Arguments.audited(by, reason);
    store.quarantines().discard(inspect(step), audited);
  }
}

package dev.standpipe.internal.engine;

import dev.standpipe.NotQuarantinedException;
import dev.standpipe.NotRevivableException;
import dev.standpipe.Quarantine;
import dev.standpipe.QuarantinedStep;
import dev.standpipe.RunInfo;
import dev.standpipe.StepId;
import dev.standpipe.spi.Quarantines.Audited;
import dev.standpipe.spi.Store;
import java.util.List;

/** The quarantine as operators see it. */
final class QuarantineDesk implements Quarantine {
  private static final int MOST = 1_000;

  private final Store store;
  private final Runnable announce;

  QuarantineDesk(Store store, Runnable announce) {
    this.store = store;
    this.announce = announce;
  }

  @Override
  public List<QuarantinedStep> list(int limit) {
    Arguments.require(
        limit >= 1 && limit <= MOST, "A list of " + limit + " cannot be: ask for 1 to " + MOST);
    return store.quarantines().list(limit);
  }

  @Override
  public QuarantinedStep inspect(StepId step) {
    return store.quarantines().find(step).orElseThrow(() -> new NotQuarantinedException(step));
  }

  @Override
  public void release(StepId step, String by, String reason) {
    Audited audited = Arguments.audited(by, reason);
    QuarantinedStep quarantined = inspect(step);
    store.runs().find(step.run()).ifPresent(QuarantineDesk::requireNotUndone);
    store.quarantines().release(quarantined, Resumes.of(store, step.run()), audited);
    announce.run();
  }

  private static void requireNotUndone(RunInfo run) {
    switch (run.status()) {
      case COMPENSATING, COMPENSATED, COMPENSATION_FAILED ->
          throw NotRevivableException.compensated(run.id(), run.status());
      case WAITING,
          RUNNING,
          PAUSED,
          HALTING,
          FINISHING,
          SUCCEEDED,
          HALTED,
          FAILED,
          CANCELING,
          CANCELED,
          SKIPPED -> {}
    }
  }

  @Override
  public void discard(StepId step, String by, String reason) {
    Audited audited = Arguments.audited(by, reason);
    store.quarantines().discard(inspect(step), audited);
  }
}

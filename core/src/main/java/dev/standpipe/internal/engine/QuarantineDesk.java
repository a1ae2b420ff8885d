package dev.standpipe.internal.engine;

import dev.standpipe.ErrorCode;
import dev.standpipe.NotQuarantinedException;
import dev.standpipe.Quarantine;
import dev.standpipe.QuarantinedStep;
import dev.standpipe.StandpipeException;
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
    require(limit >= 1 && limit <= MOST, "A list of " + limit + " cannot be: ask for 1 to " + MOST);
    return store.quarantines().list(limit);
  }

  @Override
  public QuarantinedStep inspect(StepId step) {
    return store.quarantines().find(step).orElseThrow(() -> new NotQuarantinedException(step));
  }

  @Override
  public void release(StepId step, String by, String reason) {
    Audited audited = audited(by, reason);
    QuarantinedStep quarantined = inspect(step);
    store.quarantines().release(quarantined, Resumes.of(store, step.run()), audited);
    announce.run();
  }

  @Override
  public void discard(StepId step, String by, String reason) {
    Audited audited = audited(by, reason);
    store.quarantines().discard(inspect(step), audited);
  }

  private static Audited audited(String by, String reason) {
    require(!by.isBlank(), "The audit needs to know who does it: say by whom");
    require(!reason.isBlank(), "The audit needs to know why: give a reason");
    return new Audited(by.strip(), reason.strip());
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new StandpipeException(ErrorCode.INVALID_ARGUMENT, problem);
    }
  }
}

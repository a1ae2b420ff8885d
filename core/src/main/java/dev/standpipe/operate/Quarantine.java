package dev.standpipe.operate;

import dev.standpipe.HaltReason;
import dev.standpipe.error.NotQuarantinedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.info.StepId;
import java.util.List;

/**
 * The steps that kept killing their process, until an operator decides about them. A step gets here
 * when it has used up its crash limit; its run is halted with {@link HaltReason#QUARANTINED}. The
 * first such step halts the run, so a run has one in quarantine at most. Thread-safe.
 *
 * <p>Who releases or discards a step, and why, is kept in the table {@code audit}, in the same
 * transaction.
 */
public interface Quarantine {
  /**
   * The steps in quarantine, the longest first.
   *
   * @param limit how many at most, 1 to 1000
   */
  List<QuarantinedStep> list(int limit);

  /**
   * One of them.
   *
   * @throws NotQuarantinedException if the step is not in quarantine
   */
  QuarantinedStep inspect(StepId step);

  /**
   * Lets the run go on: the step is tried again with a fresh budget of crashes and attempts, and so
   * is everything else of the run that had failed or was put off when it halted. What has finished
   * is not done again, and idempotency keys stay what they were.
   *
   * @param by who does it, for the audit
   * @param reason why, for the audit
   * @throws NotQuarantinedException if the step is not in quarantine, or no longer
   * @throws RunHaltingException if other steps of the run are still running; try again later
   */
  void release(StepId step, String by, String reason);

  /**
   * Gives the step up: it counts as failed and leaves the quarantine; its run stays halted.
   *
   * @param by who does it, for the audit
   * @param reason why, for the audit
   * @throws NotQuarantinedException if the step is not in quarantine, or no longer
   */
  void discard(StepId step, String by, String reason);
}

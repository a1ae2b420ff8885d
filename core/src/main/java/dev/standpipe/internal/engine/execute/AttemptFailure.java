package dev.standpipe.internal.engine.execute;

import dev.standpipe.Fail;
import dev.standpipe.HaltReason;
import dev.standpipe.Retry;
import dev.standpipe.Snooze;
import dev.standpipe.error.CallFailedException;
import dev.standpipe.error.FanOutLimitException;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.LoopLimitException;
import dev.standpipe.error.SignalExpiredException;
import dev.standpipe.error.UnmatchedDivertException;
import dev.standpipe.info.StepError;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why a try failed, as plain data. An exception is the user's code: its message, its causes and the
 * predicate that decides about a retry may do anything. All of them are asked here, on the thread
 * of the body and within its time-out, so that no committer has to.
 *
 * @param error what the ledger says
 * @param reason why the run halts, if it does
 * @param retryable whether the step may be tried again, as far as retries are left
 * @param snooze how long the step asked to wait, if it did not fail
 */
public record AttemptFailure(
    StepError error, HaltReason reason, boolean retryable, @Nullable Duration snooze) {
  /** The message if there is no memory for a longer one. */
  public static final AttemptFailure UNKNOWN =
      new AttemptFailure(
          new StepError("java.lang.Throwable", "(the failure could not be described)", ""),
          HaltReason.RETRIES_EXHAUSTED,
          true,
          null);

  /** Asks all there is to ask; may take as long as the user's code does, but never throws. */
  public static AttemptFailure of(Attempt attempt, Throwable error) {
    try {
      if (error instanceof Snooze snooze) {
        return new AttemptFailure(UNKNOWN.error(), UNKNOWN.reason(), false, snooze.delay());
      }
      HaltReason fatal = fatal(error);
      if (fatal != null) {
        return new AttemptFailure(ErrorText.of(error), fatal, false, null);
      }
      boolean retryable = mayBeRetried(attempt) && accepts(attempt, error);
      return of(error, retryable);
    } catch (Throwable e) { // there may be no memory, or no stack, left
      return UNKNOWN;
    }
  }

  /** A failure about which the user's predicate is not asked. */
  public static AttemptFailure of(Throwable error, boolean retryable) {
    boolean called = error instanceof CallFailedException;
    HaltReason reason = called ? HaltReason.CALL_FAILED : HaltReason.RETRIES_EXHAUSTED;
    return new AttemptFailure(ErrorText.of(error), reason, retryable, null);
  }

  /** A value that cannot be stored: trying again does not help. */
  public static AttemptFailure invalid(InvalidValueException error) {
    return new AttemptFailure(ErrorText.of(error), HaltReason.INVALID_VALUE, false, null);
  }

  /** Whether it makes a difference what the step's predicate says; a revive may give retries. */
  static boolean mayBeRetried(Attempt attempt) {
    return attempt.number <= attempt.definition().retry().limit() || attempt.ref.isRevived();
  }

  private static boolean accepts(Attempt attempt, Throwable error) {
    Retry retry = attempt.definition().retry().limit(Integer.MAX_VALUE);
    return retry.allows(attempt.number, error);
  }

  private static @Nullable HaltReason fatal(Throwable error) {
    if (error instanceof InvalidValueException) {
      return HaltReason.INVALID_VALUE;
    }
    if (error instanceof UnmatchedDivertException) {
      return HaltReason.UNMATCHED_DIVERT;
    }
    if (error instanceof FanOutLimitException) {
      return HaltReason.FAN_OUT_LIMIT;
    }
    if (error instanceof LoopLimitException) {
      return HaltReason.LOOP_LIMIT;
    }
    if (error instanceof Fail) {
      return HaltReason.FAILED_NOW;
    }
    return error instanceof SignalExpiredException ? HaltReason.SIGNAL_EXPIRED : null;
  }
}

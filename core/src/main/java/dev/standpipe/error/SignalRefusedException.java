package dev.standpipe.error;

import java.util.UUID;

/** An await takes one signal in its time, and this is not the one. Nothing was changed. */
public final class SignalRefusedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final Why why;

  /** Why a signal is not taken. */
  public enum Why {
    /** The await has another signal already. */
    SIGNALED,
    /** The await has expired. */
    EXPIRED,
    /** The await was skipped: it is on an arm that was not taken. */
    SKIPPED
  }

  /** Says why, and what is allowed. */
  public SignalRefusedException(UUID run, String await, Why why) {
    super(ErrorCode.SIGNAL_REFUSED, "The await \"" + await + "\" of run " + run + say(why));
    this.why = why;
  }

  private static String say(Why why) {
    return switch (why) {
      case SIGNALED ->
          " has another signal already. It takes one; only that one may be sent again, with its"
              + " dedupe key or its value.";
      case EXPIRED -> " has expired: it took signals only as long as it waited.";
      case SKIPPED -> " was skipped: the run went another way and does not wait.";
    };
  }

  /** Why it was not taken. */
  public Why why() {
    return why;
  }
}

package dev.standpipe.error;

import java.util.UUID;

/** The key of a run's context has another value already. */
public final class ContextKeyTakenException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Names the run and the key. */
  public ContextKeyTakenException(UUID run, String key) {
    super(
        ErrorCode.CONTEXT_KEY_TAKEN,
        "The context of run "
            + run
            + " has another value for \""
            + key
            + "\" already: choose another key, or use replace if it may change");
  }
}

package dev.standpipe.error;

import java.util.UUID;

/** The key of a start belongs to a run with another input. */
public final class DuplicateKeyException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public DuplicateKeyException(String pipeline, String key, UUID existing) {
    super(
        ErrorCode.DUPLICATE_KEY,
        "Run "
            + existing
            + " of pipeline \""
            + pipeline
            + "\" already has the key \""
            + key
            + "\", with another input. Nothing was started. Use another key, or the same input to get the existing run.");
  }
}

package dev.standpipe.error;

import java.util.UUID;

/** No run of this id exists in this database. */
public final class UnknownRunException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public UnknownRunException(UUID id) {
    super(
        ErrorCode.UNKNOWN_RUN,
        "No run "
            + id
            + " in this database. Runs past their retention are deleted; otherwise check the id and that this is the right database, schema and table prefix.");
  }
}

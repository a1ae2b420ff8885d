package dev.standpipe.internal.store;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import java.sql.SQLException;

/** A call to the store that failed. */
public final class StoreException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final SqlFailure failure;

  /** A failure with its cause. */
  public StoreException(SqlFailure failure, SQLException cause) {
    super(code(failure), message(failure, cause), cause);
    this.failure = failure;
  }

  /** What the failure means. */
  public SqlFailure failure() {
    return failure;
  }

  private static ErrorCode code(SqlFailure failure) {
    return failure == SqlFailure.CONNECTION
        ? ErrorCode.DATABASE_UNREACHABLE
        : ErrorCode.DATABASE_ERROR;
  }

  private static String message(SqlFailure failure, SQLException cause) {
    String what =
        failure == SqlFailure.CONNECTION
            ? "The database cannot be reached"
            : "The database refused a statement";
    String state = cause.getSQLState() == null ? "" : " [" + cause.getSQLState() + "]";
    return what + state + ": " + String.valueOf(cause.getMessage()).strip();
  }
}

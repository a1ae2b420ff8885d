package dev.standpipe.internal.store;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import java.sql.SQLException;

/** A call to the store that failed. */
public final class StoreException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final SqlFailure failure;
  private final SQLException sql;

  /** A failure with its cause. */
  public StoreException(SqlFailure failure, SQLException cause) {
    super(code(failure), message(failure, cause), cause);
    this.failure = failure;
    this.sql = cause;
  }

  /** What the failure means. */
  public SqlFailure failure() {
    return failure;
  }

  /** The same failure of a call that has committed before: like one whose answer was lost. */
  StoreException afterSomeTookEffect() {
    return new StoreException(SqlFailure.CONNECTION, sql);
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

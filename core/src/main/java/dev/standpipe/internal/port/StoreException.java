package dev.standpipe.internal.port;

import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Secrets;
import java.sql.SQLException;

/**
 * A call to the store that failed. The engine decides by its {@link #failure()}; callers of the API
 * get {@link #forCallers()}, whose class they can name.
 */
public final class StoreException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final StoreFailure failure;
  private final SQLException sql;

  /** A failure with its cause. */
  public StoreException(StoreFailure failure, SQLException cause) {
    this(failure, cause, Diagnosis.of(failure, cause));
  }

  private StoreException(StoreFailure failure, SQLException cause, Diagnosis diagnosis) {
    super(diagnosis.code(), message(diagnosis, cause), cause);
    this.failure = failure;
    this.sql = cause;
  }

  /** The failure of a login or of a first question, before anything is known of the database. */
  public static StoreException atFirst(SQLException cause) {
    Diagnosis diagnosis = Diagnosis.of(StoreFailure.CONNECTION, cause);
    StoreFailure failure = diagnosis.isLasting() ? StoreFailure.OTHER : StoreFailure.CONNECTION;
    return new StoreException(failure, cause, diagnosis);
  }

  /** What the failure means. */
  public StoreFailure failure() {
    return failure;
  }

  /** The same for those who called from outside, to whom this class is hidden. */
  public StandpipeException forCallers() {
    return new StandpipeException(code(), String.valueOf(getMessage()), sql);
  }

  /**
   * Whether the server refuses this user or does not know the database: waiting changes nothing. A
   * pool hides why it has no connection in the causes of what it throws.
   */
  public boolean isRefusal() {
    for (Throwable cause = sql; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException known && isRefusal(String.valueOf(known.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRefusal(String state) {
    return state.startsWith("28") || state.equals("3D000");
  }

  /** What the driver threw. */
  public SQLException sql() {
    return sql;
  }

  /** The same failure of a call that has committed before: like one whose answer was lost. */
  public StoreException afterSomeTookEffect() {
    return new StoreException(StoreFailure.CONNECTION, sql);
  }

  private static String message(Diagnosis diagnosis, SQLException cause) {
    String state = cause.getSQLState() == null ? "" : " [" + cause.getSQLState() + "]";
    String text = String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    String said = Secrets.hidden(text);
    return "%s%s. %s It said: %s".formatted(diagnosis.problem(), state, diagnosis.remedy(), said);
  }
}

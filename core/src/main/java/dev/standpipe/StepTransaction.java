package dev.standpipe;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.sql.Connection;

/**
 * What a transactional body gets: all that a {@link StepContext} tells, and a connection to the
 * database that Standpipe's tables are in. What the body writes there and that its step has
 * succeeded are committed together, or neither is.
 *
 * <p>{@link Standpipe#start(Pipeline, Object)}, its like and {@link Standpipe#signal} join the
 * transaction by themselves when the body's own thread calls them.
 */
public interface StepTransaction extends StepContext {
  /**
   * The connection of this step's transaction, which the first call opens: the same one each time,
   * at READ COMMITTED unless the body, or the bridge, says otherwise before its first statement.
   * Savepoints may be used. Standpipe commits, rolls back and closes it: a body that tries to gets
   * an exception. It cannot be used after the body has returned, nor by two threads at once.
   *
   * <p>On SQLite the body is the only writer from this call on: whatever takes long comes before.
   */
  Connection connection();

  /** The transaction of a transactional body, given its context. */
  static StepTransaction of(StepContext ctx) {
    if (ctx instanceof StepTransaction transaction) {
      return transaction;
    }
    throw new StandpipeException(
        ErrorCode.INVALID_ARGUMENT,
        "This body writes in the transaction of its step, and the step has none: hand the body"
            + " itself to transactional(…), compensate(…) or a callback, not a function around it");
  }
}

package dev.standpipe.internal.transaction;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of the body that runs on a thread, so that what the body starts and signals joins
 * it without being told to. Other threads of the body have none.
 */
public final class CurrentTransaction {
  private static final ThreadLocal<@Nullable BodyTransaction> OF_THREAD = new ThreadLocal<>();

  private CurrentTransaction() {}

  /** From here on, a body with this transaction runs on this thread. */
  public static void enter(BodyTransaction transaction) {
    OF_THREAD.set(transaction);
  }

  /** The body has returned. */
  public static void leave() {
    OF_THREAD.remove();
  }

  /** The transaction of this thread's body, if it is on this database. */
  public static Optional<BodyTransaction> at(Object place) {
    return Optional.ofNullable(OF_THREAD.get()).filter(transaction -> transaction.isAt(place));
  }
}

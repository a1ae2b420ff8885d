package dev.standpipe.internal.engine.substep;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One key of a try's sub-steps. A thread that uses it holds its lock. */
final class OnceCell {
  final ReentrantLock lock = new ReentrantLock();
  private @Nullable String text;
  private @Nullable PendingWrite write;

  /** A call that was not made yet. */
  OnceCell() {}

  /** A call that an earlier try has made. */
  OnceCell(String stored) {
    this.text = stored;
  }

  /** What the call returned, encoded. */
  @Nullable String text() {
    return text;
  }

  /** How it is written, if this try made the call. */
  @Nullable PendingWrite write() {
    return write;
  }

  /** The call has returned. */
  void returned(String encoded, PendingWrite sent) {
    text = encoded;
    write = sent;
  }
}

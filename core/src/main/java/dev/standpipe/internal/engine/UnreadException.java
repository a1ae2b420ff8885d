package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;

/** The database could not be read, which is not the fault of the step that needed it. */
final class UnreadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadException(StoreException cause) {
    super(cause);
  }
}

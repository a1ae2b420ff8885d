package dev.standpipe.internal.engine;

import dev.standpipe.StandpipeException;
import dev.standpipe.internal.store.StoreException;

/** The database could not be read, which is not the fault of the step that needed it. */
final class UnreadException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  UnreadException(StoreException cause) {
    super(cause.code(), String.valueOf(cause.getMessage()), cause.forCallers());
  }
}

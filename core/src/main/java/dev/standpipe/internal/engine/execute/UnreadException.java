package dev.standpipe.internal.engine.execute;

import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;

/** The database could not be read, which is not the fault of the step that needed it. */
public final class UnreadException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  public UnreadException(StoreException cause) {
    super(cause.code(), String.valueOf(cause.getMessage()), cause.forCallers());
  }
}

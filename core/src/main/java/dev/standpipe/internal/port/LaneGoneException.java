package dev.standpipe.internal.port;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.Definitions.Registered;

/**
 * Runs were to be started under a definition that is not in the database: one that was registered
 * shortly before a failover, say, and lost with it; its lane may be another's by now. Nothing was
 * written; the process that remembered the lane registers the definition again.
 */
public final class LaneGoneException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** The lane of this pipeline is gone. */
  public LaneGoneException(Registered definition) {
    super(
        ErrorCode.UNKNOWN_LANE,
        "Lane %d of \"%s\" is not in the database: it is registered again when the call is repeated."
            .formatted(definition.lane(), definition.graph().pipeline()));
  }
}

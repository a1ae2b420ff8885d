package dev.standpipe.error;

import dev.standpipe.Lane;
import java.util.List;

/** The pipeline has no such definition, or several whose hashes begin so. */
public final class UnknownLaneException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says which there are. */
  public UnknownLaneException(Lane lane, List<String> definitions) {
    super(
        ErrorCode.UNKNOWN_LANE,
        "\"%s\" is not the beginning of exactly one definition's hash of pipeline \"%s\": name one of %s"
            .formatted(lane.definition(), lane.pipeline(), definitions));
  }
}

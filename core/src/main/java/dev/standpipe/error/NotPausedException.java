package dev.standpipe.error;

import dev.standpipe.Lane;
import dev.standpipe.RunStatus;
import java.util.Locale;
import java.util.UUID;

/** The run, pipeline or lane to resume is not paused. */
public final class NotPausedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private NotPausedException(String message) {
    super(ErrorCode.NOT_PAUSED, message);
  }

  /** The run is not, though its pipeline may be. */
  public static NotPausedException run(UUID run, RunStatus status) {
    return new NotPausedException(
        "Run %s is %s: only a run that is paused can be resumed. If its pipeline is paused, resume that. Nothing was changed."
            .formatted(run, status.name().toLowerCase(Locale.ROOT)));
  }

  /** The pipeline is not as a whole, though one of its lanes may be. */
  public static NotPausedException pipeline(String pipeline) {
    return new NotPausedException(
        "Pipeline \"%s\" is not paused as a whole: resume what the list of pauses names, its lanes or its runs. Nothing was changed."
            .formatted(pipeline));
  }

  /** The lane is not, though its whole pipeline may be. */
  public static NotPausedException lane(Lane lane) {
    return new NotPausedException(
        "Lane %s is not paused by itself: resume what the list of pauses names, its pipeline or its runs. Nothing was changed."
            .formatted(lane));
  }
}

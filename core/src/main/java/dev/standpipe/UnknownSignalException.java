package dev.standpipe;

import java.util.Collection;
import java.util.UUID;

/** The run has no await of this key, or no such element of it. Nothing was changed. */
public final class UnknownSignalException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private UnknownSignalException(String message) {
    super(ErrorCode.UNKNOWN_SIGNAL, message);
  }

  /** There is no await of this key. */
  public static UnknownSignalException key(UUID run, String key, Collection<String> awaits) {
    return new UnknownSignalException(
        "Run %s has no await \"%s\": it awaits %s"
            .formatted(run, key, awaits.isEmpty() ? "no signals" : String.join(", ", awaits)));
  }

  /** There is no such element. */
  public static UnknownSignalException index(UUID run, String key, int index, int elements) {
    return new UnknownSignalException(
        "The await \"%s\" of run %s has no element %d: %s"
            .formatted(
                key,
                run,
                index,
                elements == 0 ? "there are none" : "say one from 0 to " + (elements - 1)));
  }
}

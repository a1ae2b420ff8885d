package dev.standpipe.error;

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

  /**
   * There is no such element.
   *
   * @param first the first of the elements there are, of the expand it would be one of
   * @param elements how many there are
   */
  public static UnknownSignalException index(
      UUID run, String key, int index, int first, int elements) {
    String allowed =
        elements == 0
            ? "there are none"
            : "say one from %d to %d".formatted(first, first + elements - 1);
    return new UnknownSignalException(
        "The await \"%s\" of run %s has no element %d: %s".formatted(key, run, index, allowed));
  }
}

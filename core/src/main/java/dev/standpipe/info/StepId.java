package dev.standpipe.info;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Names one step of one run. Written as {@code run/node/index}, like the idempotency key.
 *
 * @param run the run
 * @param node the key of the node
 * @param index the element's position below an expand, otherwise 0
 */
public record StepId(UUID run, String node, int index) {
  /**
   * Reads what {@link #toString()} wrote.
   *
   * @throws StandpipeException with {@code INVALID_ARGUMENT} if it is nothing of the kind
   */
  public static StepId parse(String text) {
    int first = text.indexOf('/');
    int last = text.lastIndexOf('/');
    try {
      if (first < last) {
        return new StepId(
            UUID.fromString(text.substring(0, first)),
            text.substring(first + 1, last),
            Integer.parseInt(text.substring(last + 1)));
      }
    } catch (IllegalArgumentException e) { // said below, in the user's words
      throw invalid(text, e);
    }
    throw invalid(text, null);
  }

  private static StandpipeException invalid(String text, @Nullable Exception cause) {
    return new StandpipeException(
        ErrorCode.INVALID_ARGUMENT,
        "\""
            + text
            + "\" names no step: write the run's id, the node's key and the index as"
            + " run/node/index, such as 0190b2c4-7d3f-7000-8000-00000000002a/charge/0",
        cause);
  }

  @Override
  public String toString() {
    return run + "/" + node + "/" + index;
  }
}

package dev.standpipe.operate;

import dev.standpipe.internal.Required;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a run is revived. Immutable; each method returns a changed copy.
 *
 * @param node the node whose failed steps are to be tried again, if it must be no other's
 * @param retryLimit how often a step that starts again may be retried, if not as its pipeline says
 */
public record Revive(Optional<String> node, OptionalInt retryLimit) {
  private static final Revive ALL = new Revive(Optional.empty(), OptionalInt.empty());

  /** Checks the limit. */
  public Revive {
    if (retryLimit.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "A retry limit must be 0 or more, was " + retryLimit.getAsInt());
    }
  }

  /** Whatever has failed. */
  public static Revive all() {
    return ALL;
  }

  /** Only if all that has failed are steps of this node. */
  public static Revive only(String node) {
    return new Revive(Optional.of(Required.given(node, "node")), OptionalInt.empty());
  }

  /**
   * Retries the steps that start again at most this often, until the run is revived once more. What
   * follows from them is retried as its pipeline says.
   */
  public Revive retryLimit(int retries) {
    return new Revive(node, OptionalInt.of(retries));
  }
}

package dev.standpipe.internal;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import org.jspecify.annotations.Nullable;

/** Settings and arguments that must not be {@code null}. */
public final class Required {
  private Required() {}

  /**
   * The value, if there is one.
   *
   * @param what how people call it
   */
  public static <T> T given(@Nullable T value, String what) {
    if (value == null) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING, "The " + what + " is null: give one, or leave it out");
    }
    return value;
  }
}

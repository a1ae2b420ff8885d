package dev.standpipe.internal.schedule;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Required;

/** What a schedule may be called. */
public final class ScheduleName {
  private static final int LONGEST = 200;

  private ScheduleName() {}

  /** The name, if it is one. */
  public static String require(String name) {
    Required.given(name, "name of the schedule");
    boolean fits = !name.isBlank() && name.length() <= LONGEST;
    if (!fits || name.chars().anyMatch(Character::isISOControl)) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "The name of a schedule must be 1 to %d characters without control characters, was \"%s\""
              .formatted(LONGEST, name));
    }
    return name;
  }
}

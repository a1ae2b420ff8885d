package dev.standpipe.internal.engine;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import dev.standpipe.spi.Quarantines.Audited;

/** Checks what callers say, before anything is read or written. */
final class Arguments {
  private Arguments() {}

  static Audited audited(String by, String reason) {
    require(by != null && !by.isBlank(), "The audit needs to know who does it: say by whom");
    require(reason != null && !reason.isBlank(), "The audit needs to know why: give a reason");
    return new Audited(by.strip(), reason.strip());
  }

  static void require(boolean holds, String problem) {
    if (!holds) {
      throw new StandpipeException(ErrorCode.INVALID_ARGUMENT, problem);
    }
  }
}

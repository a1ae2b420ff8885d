package dev.standpipe.internal.engine.client;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.Quarantines.Audited;

/** Checks the arguments of calls, before anything is read or written. */
public final class Arguments {
  private Arguments() {}

  public static Audited audited(String by, String reason) {
    require(by != null && !by.isBlank(), "The audit needs to know who does it: say by whom");
    require(reason != null && !reason.isBlank(), "The audit needs to know why: give a reason");
    return new Audited(by.strip(), reason.strip());
  }

  public static void require(boolean holds, String problem) {
    if (!holds) {
      throw new StandpipeException(ErrorCode.INVALID_ARGUMENT, problem);
    }
  }
}

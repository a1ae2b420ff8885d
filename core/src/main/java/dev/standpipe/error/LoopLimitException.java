package dev.standpipe.error;

import java.util.Locale;

/** A loop asked for more turns than its limit allows. The run halts. */
public final class LoopLimitException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  public LoopLimitException(String loop, int limit) {
    super(
        ErrorCode.LOOP_LIMIT,
        String.format(
            Locale.ROOT,
            "The loop \"%s\" asked for another turn after %,d, which is its limit: raise it with"
                + " limit(…) and revive the run, or end the loop earlier",
            loop,
            limit));
  }
}

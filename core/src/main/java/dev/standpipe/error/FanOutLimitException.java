package dev.standpipe.error;

import java.util.Locale;

/** An expand yielded more elements than its limit allows. The run halts. */
public final class FanOutLimitException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private FanOutLimitException(String expand, int limit, String yielded) {
    super(
        ErrorCode.FAN_OUT_LIMIT,
        String.format(
            Locale.ROOT,
            "The expand \"%s\" yielded %s elements, and its limit is %,d:"
                + " raise it with limit(…), or expand into fewer",
            expand,
            yielded,
            limit));
  }

  /** So many, which was known beforehand. */
  public static FanOutLimitException of(String expand, int limit, int elements) {
    return new FanOutLimitException(expand, limit, String.format(Locale.ROOT, "%,d", elements));
  }

  /** Nobody knows how many there are behind the first that is too many. */
  public static FanOutLimitException beyond(String expand, int limit) {
    return new FanOutLimitException(
        expand, limit, String.format(Locale.ROOT, "more than %,d", limit));
  }
}

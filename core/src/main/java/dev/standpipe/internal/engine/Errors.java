package dev.standpipe.internal.engine;

import dev.standpipe.StepError;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Exceptions as text that any database can store. */
final class Errors {
  private static final int LONGEST_MESSAGE = 4_000;
  private static final int LONGEST_TRACE = 16_000;

  private Errors() {}

  static StepError of(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    String message = error.getMessage() == null ? "(no message)" : error.getMessage();
    return new StepError(
        error.getClass().getName(),
        clean(message, LONGEST_MESSAGE),
        clean(trace.toString(), LONGEST_TRACE));
  }

  private static String clean(String text, int longest) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), longest) + 1);
    text.codePoints()
        .limit(longest)
        .forEach(
            c -> {
              boolean storable =
                  c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
              clean.appendCodePoint(storable ? c : 0xfffd);
            });
    return text.codePointCount(0, text.length()) > longest
        ? clean.append('…').toString()
        : clean.toString();
  }
}

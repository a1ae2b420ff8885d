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
    return new StepError(
        error.getClass().getName(),
        clean(message(error), LONGEST_MESSAGE),
        clean(trace(error), LONGEST_TRACE));
  }

  private static String message(Throwable error) {
    try {
      String message = error.getMessage();
      return message == null ? "(no message)" : message;
    } catch (RuntimeException e) { // an error that fails to describe itself is still an error
      return "(no message: getMessage threw " + e.getClass().getName() + ")";
    }
  }

  private static String trace(Throwable error) {
    try {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      return trace.toString();
    } catch (RuntimeException e) {
      return "(no trace: printStackTrace threw " + e.getClass().getName() + ")";
    }
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

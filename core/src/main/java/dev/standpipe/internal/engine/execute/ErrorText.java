package dev.standpipe.internal.engine.execute;

import dev.standpipe.info.StepError;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Exceptions as text that any database can store. An exception is the user's code: it may throw
 * while it describes itself, and its chain of causes may have no end; this always returns a text.
 */
public final class ErrorText {
  private static final int LONGEST_MESSAGE = 4_000;
  private static final int LONGEST_TRACE = 16_000;

  private ErrorText() {}

  public static StepError of(Throwable error) {
    return new StepError(
        error.getClass().getName(),
        clean(message(error), LONGEST_MESSAGE),
        clean(trace(error), LONGEST_TRACE));
  }

  /** What a log says of it; a logger would ask the exception itself. */
  public static String text(Throwable error) {
    return clean(trace(error), LONGEST_TRACE);
  }

  private static String message(Throwable error) {
    try {
      String message = error.getMessage();
      return message == null ? "(no message)" : message;
    } catch (Throwable e) { // an error that fails to describe itself is still an error
      return "(no message: getMessage threw " + e.getClass().getName() + ")";
    }
  }

  private static String trace(Throwable error) {
    Bounded trace = new Bounded();
    try {
      error.printStackTrace(new PrintWriter(trace));
      return trace.toString();
    } catch (Throwable e) {
      return e instanceof Full
          ? trace.toString()
          : trace + "(no more trace: printStackTrace threw " + e.getClass().getName() + ")";
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

  /** Stops an exception that prints more than is kept: a chain of causes may have no end. */
  private static final class Bounded extends Writer {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void write(char[] chars, int from, int count) {
      text.append(chars, from, count);
      if (text.length() > 2 * LONGEST_TRACE) { // a character may need two
        throw new Full();
      }
    }

    @Override
    public void flush() {
      // nothing is behind it
    }

    @Override
    public void close() {
      // nothing to let go of
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  /** There is enough text. */
  private static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Full() {
      super("There is enough text", null, false, false);
    }
  }
}

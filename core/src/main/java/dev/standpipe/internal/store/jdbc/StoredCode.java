package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.port.Runs.Followed;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The numbers that stand for words in the tables. SQL names them, as in {@code :state.ready}, and
 * is given the number as text when it is loaded: as a parameter it would keep partial indexes from
 * being used.
 */
public enum StoredCode {
  /** A task that anybody may claim. */
  READY("state.ready", 0),
  /** A task that a process holds. */
  LEASED("state.leased", 1),
  /** A task that waits for its time. */
  SCHEDULED("state.scheduled", 2),
  /** A task that may be claimed, but not together with others that are not suspected. */
  SUSPECT("state.suspect", 3),
  /** What marks a run that is halting. */
  HALTING("state.halting", 4),

  /** The result of a step that succeeded. */
  SUCCEEDED("outcome.succeeded", 1),
  /** The result of a step that failed. */
  FAILED("outcome.failed", 2),
  /** One of the elements that an expand has yielded. */
  ELEMENT("outcome.element", 3),
  /** The result of a step that was skipped. */
  SKIPPED("outcome.skipped", 4),

  /** A run whose end nothing follows. */
  BY_NOTHING("followed.by_nothing", Followed.NOT.code()),
  /** A run whose end something follows. */
  BY_SOMETHING("followed.by_something", Followed.YES.code()),
  /** A run that is also compensated unless it succeeds. */
  TO_COMPENSATE("followed.to_compensate", Followed.COMPENSATED.code());

  private static final Pattern NAME =
      Pattern.compile("(?<![:\\w]):((?:state|outcome|followed)\\.[a-z_]+)");
  private static final Map<String, StoredCode> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(code -> code.word, Function.identity()));

  private final String word;
  private final short number;

  StoredCode(String word, int number) {
    this.word = word;
    this.number = (short) number;
  }

  /** How it is stored. */
  public short number() {
    return number;
  }

  /** Puts the numbers in; refuses a name that stands for none. */
  public static String resolve(String sql) {
    return NAME.matcher(sql).replaceAll(StoredCode::text);
  }

  private static String text(MatchResult name) {
    StoredCode code = BY_NAME.get(name.group(1));
    if (code == null) {
      throw new IllegalArgumentException(
          "SQL names :" + name.group(1) + ", which stands for no number");
    }
    return String.valueOf(code.number);
  }
}

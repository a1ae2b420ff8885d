package dev.standpipe.internal.store.jdbc;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.port.Quarantines;
import dev.standpipe.internal.port.Settlement.Bump;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What SQL names instead of saying it, as in {@code :state.ready}: numbers that stand for words,
 * the nodes that no user has named, and sizes. Each is put in as text when SQL is loaded: as a
 * parameter it would keep partial indexes from being used.
 */
public final class SqlConstants {
  private static final Map<String, String> BY_NAME = byName();
  private static final Pattern NAME =
      Pattern.compile("(?<![:\\w]):((?:%s)\\.[a-z_]+)".formatted(groups()));

  private SqlConstants() {}

  private static Map<String, String> byName() {
    Map<String, String> byName = new TreeMap<>();
    for (StoredCode code : StoredCode.values()) {
      byName.put(code.word(), String.valueOf(code.number()));
    }
    for (GroupSize size : GroupSize.values()) {
      byName.put(size.word(), String.valueOf(size.number()));
    }
    byName.put("node.input", quoted(GraphNode.INPUT_KEY));
    byName.put("node.end", quoted(Bump.END));
    byName.put("node.close", quoted(Bump.CLOSE));
    byName.put("token.revived", String.valueOf(Quarantines.REVIVED));
    return byName;
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  private static String groups() {
    return BY_NAME.keySet().stream()
        .map(name -> name.substring(0, name.indexOf('.')))
        .distinct()
        .collect(Collectors.joining("|"));
  }

  /** Puts them in; refuses a name that stands for nothing. */
  public static String resolve(String sql) {
    return NAME.matcher(sql).replaceAll(SqlConstants::replacement);
  }

  private static String replacement(MatchResult name) {
    String text = BY_NAME.get(name.group(1));
    if (text == null) {
      throw new IllegalArgumentException(
          "SQL names :" + name.group(1) + ", which stands for nothing");
    }
    return Matcher.quoteReplacement(text);
  }
}

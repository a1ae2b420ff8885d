package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.store.jdbc.Fragments.Fragment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What a folder of SQL says, as it is written there: statements, each after a line {@code -- name:
 * task_claim}, and fragments, each after a line {@code -- fragment: now}. Comments are left out.
 *
 * @param statements by name
 * @param fragments by name
 */
record SqlFolder(Map<String, String> statements, Map<String, Fragment> fragments) {
  /** The folder of what all dialects say in the same words. */
  static final String SHARED = "shared";

  static final List<String> FILES =
      List.of(
          "fragments",
          "definition",
          "process",
          "run",
          "run_queries",
          "task",
          "settle",
          "substep",
          "part",
          "signal",
          "follow",
          "call",
          "quarantine",
          "pause",
          "schedule",
          "outbox",
          "needs",
          "doctor");

  private static final Pattern HEADING =
      Pattern.compile("(?m)^-- (name|fragment): (\\w+)(?:\\(([\\w, ]*)\\))?[ \\t]*$");
  private static final Pattern LIKE_HEADING = Pattern.compile("(?m)^-- (?:name|fragment):.*$");
  private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");

  /** Reads a folder. It must have {@code fragments.sql}, and of the other files what it needs. */
  static SqlFolder read(String folder) {
    StringBuilder text = new StringBuilder(Sql.read(folder + "/fragments.sql"));
    FILES.stream()
        .skip(1)
        .map(file -> folder + "/" + file + ".sql")
        .filter(Sql::exists)
        .forEach(file -> text.append('\n').append(Sql.read(file)));
    return parse(text.toString());
  }

  static SqlFolder parse(String text) {
    SqlFolder folder = new SqlFolder(new TreeMap<>(), new TreeMap<>());
    List<MatchResult> headings = HEADING.matcher(text).results().toList();
    List<String> misspelt = misspelt(text);
    if (!misspelt.isEmpty()) {
      throw new IllegalArgumentException("SQL gives names that are no words: " + misspelt);
    }
    for (int i = 0; i < headings.size(); i++) {
      int end = i + 1 < headings.size() ? headings.get(i + 1).start() : text.length();
      String block = text.substring(headings.get(i).end(), end);
      folder.add(headings.get(i), COMMENT.matcher(block).replaceAll("").strip());
    }
    return folder;
  }

  private static List<String> misspelt(String text) {
    return LIKE_HEADING
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(line -> !HEADING.matcher(line).matches())
        .toList();
  }

  private void add(MatchResult heading, String text) {
    String name = heading.group(2);
    String list = heading.group(3);
    boolean twice =
        heading.group(1).equals("name")
            ? statements.put(name, text) != null
            : fragments.put(name, new Fragment(Fragments.split(list == null ? "" : list), text))
                != null;
    if (twice) {
      throw new IllegalArgumentException("SQL gives the name " + name + " twice");
    }
  }

  /** What a dialect says, and what is shared where it says nothing of its own. */
  SqlFolder over(SqlFolder shared) {
    SqlFolder both = new SqlFolder(new TreeMap<>(), new TreeMap<>());
    for (SqlFolder folder : List.of(shared, this)) {
      both.statements.putAll(folder.statements);
      both.fragments.putAll(folder.fragments);
    }
    return both;
  }
}

package dev.standpipe.internal.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The named statements of one dialect, with table names resolved. */
public final class Sql {
  static final List<String> FILES =
      List.of(
          "definition",
          "process",
          "run",
          "run_queries",
          "task",
          "settle",
          "part",
          "signal",
          "follow",
          "call",
          "quarantine",
          "pause",
          "needs",
          "doctor");
  private static final Pattern NAME = Pattern.compile("(?m)^-- name: (\\w+)\\s*$");
  private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+(?:\\.[a-z_]+)?)");

  private final Map<String, Statement> statements = new TreeMap<>();

  /**
   * A statement as JDBC takes it.
   *
   * @param name its name
   * @param text its text, with question marks
   * @param parameters the names of its parameters, in order
   */
  public record Statement(String name, String text, List<String> parameters) {}

  /** Loads the statements of a dialect. */
  public Sql(String dialect, Tables tables) {
    this(dialect, tables, UnaryOperator.identity());
  }

  /** Loads the statements as a dialect's version of the database takes them. */
  public Sql(Dialect dialect, Tables tables) {
    this(dialect.name(), tables, dialect::adapted);
  }

  /** Loads the statements of a dialect, each file edited first: for tests that break one. */
  public Sql(String dialect, Tables tables, UnaryOperator<String> edit) {
    for (String file : FILES) {
      String text = StoredCode.resolve(edit.apply(read(dialect + "/" + file + ".sql")));
      List<MatchResult> names = NAME.matcher(text).results().toList();
      for (int i = 0; i < names.size(); i++) {
        int end = i + 1 < names.size() ? names.get(i + 1).start() : text.length();
        String block = text.substring(names.get(i).end(), end);
        statements.put(names.get(i).group(1), parse(names.get(i).group(1), tables.resolve(block)));
      }
    }
  }

  /** The statement of this name. */
  public Statement get(String name) {
    Statement statement = statements.get(name);
    if (statement == null) {
      throw new IllegalArgumentException("No SQL statement " + name);
    }
    return statement;
  }

  /** All statements, by name. */
  public Map<String, Statement> all() {
    return Collections.unmodifiableMap(statements);
  }

  public static String read(String file) {
    String path = "/dev/standpipe/sql/" + file;
    try (InputStream in = Sql.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("Missing resource " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read resource " + path, e);
    }
  }

  /** The statements of a script, which end with a semicolon at the end of a line. */
  public static List<String> split(String script) {
    return Pattern.compile(";\\s*$", Pattern.MULTILINE)
        .splitAsStream(script)
        .map(statement -> statement.replaceAll("(?m)--.*$", "").strip())
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private static Statement parse(String name, String text) {
    List<String> parameters = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(text.replaceAll("(?m)--.*$", ""));
    StringBuilder jdbc = new StringBuilder();
    while (matcher.find()) {
      parameters.add(matcher.group(1));
      matcher.appendReplacement(jdbc, "?");
    }
    matcher.appendTail(jdbc);
    return new Statement(name, jdbc.toString().strip(), List.copyOf(parameters));
  }
}

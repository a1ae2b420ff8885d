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
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The named statements of one dialect, whole: those that are shared and those of its own, with
 * fragments, constants and table names put in.
 */
public final class Sql {
  private static final String ROOT = "/dev/standpipe/sql/";
  private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+(?:\\.[a-z_]+)?)");

  private final SqlSource source;
  private final Tables tables;
  private final Edit edit;
  private final Map<String, Statement> prepared = new ConcurrentHashMap<>();

  /**
   * A statement as JDBC takes it.
   *
   * @param name its name
   * @param text its text, with question marks
   * @param parameters the names of its parameters, in order
   */
  public record Statement(String name, String text, List<String> parameters) {}

  /** Changes the text of a statement before it is prepared. */
  @FunctionalInterface
  public interface Edit {
    String edit(String name, String text);
  }

  /** Loads the statements of a dialect. */
  public Sql(String dialect, Tables tables) {
    this(dialect, tables, (name, text) -> text);
  }

  /** Loads the statements as a dialect's version of the database takes them. */
  public Sql(Dialect dialect, Tables tables) {
    this(dialect.name(), tables, (name, text) -> dialect.adapted(text));
  }

  /** Loads the statements of a dialect, each edited when it is whole: for tests that break one. */
  public Sql(String dialect, Tables tables, Edit edit) {
    this(SqlSource.of(dialect), tables, edit);
  }

  Sql(SqlSource source, Tables tables, Edit edit) {
    this.source = source;
    this.tables = tables;
    this.edit = edit;
  }

  /** The statement of this name. Made when it is first asked for: a process needs a part of all. */
  public Statement get(String name) {
    Statement known = prepared.get(name);
    return known != null ? known : prepared.computeIfAbsent(name, this::prepare);
  }

  /** Whether there is a statement of this name. */
  public boolean has(String name) {
    return source.names().contains(name);
  }

  private Statement prepare(String name) {
    String whole = edit.edit(name, source.text(name));
    return parse(name, tables.resolve(SqlConstants.resolve(whole)));
  }

  /** All statements, by name. Refuses fragments that none of them uses. */
  public Map<String, Statement> all() {
    source.requireFragmentsUsed();
    Map<String, Statement> all = new TreeMap<>();
    source.names().forEach(name -> all.put(name, get(name)));
    return Collections.unmodifiableMap(all);
  }

  static boolean exists(String file) {
    return Sql.class.getResource(ROOT + file) != null;
  }

  public static String read(String file) {
    String path = ROOT + file;
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
    Matcher matcher = PARAMETER.matcher(text);
    StringBuilder jdbc = new StringBuilder();
    while (matcher.find()) {
      parameters.add(matcher.group(1));
      matcher.appendReplacement(jdbc, "?");
    }
    matcher.appendTail(jdbc);
    return new Statement(name, jdbc.toString().strip(), List.copyOf(parameters));
  }
}

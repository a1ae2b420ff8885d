package dev.standpipe.internal.store.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The comments of a script as statements that put them into the database: those that stand right
 * before a table, a view, or a column of a table.
 */
public final class SchemaComments {
  private static final Pattern OBJECT =
      Pattern.compile("create (table|view) (?:if not exists )?(\\S+)");
  private static final Pattern COLUMN = Pattern.compile("  ([a-z_]+) ");
  private static final String DASHES = "--";

  private final List<String> statements = new ArrayList<>();
  private final List<String> pending = new ArrayList<>();
  private String table = "";

  private SchemaComments() {}

  /** One statement for each comment, in their order. */
  public static List<String> of(String script) {
    SchemaComments comments = new SchemaComments();
    script.lines().forEach(comments::read);
    return List.copyOf(comments.statements);
  }

  private void read(String line) {
    if (line.strip().startsWith(DASHES)) {
      pending.add(line.strip().substring(DASHES.length()).strip());
      return;
    }
    Matcher object = OBJECT.matcher(line);
    Matcher column = COLUMN.matcher(line);
    if (object.lookingAt()) {
      table = object.group(1).equals("table") ? object.group(2) : "";
      add(object.group(1) + " " + object.group(2));
    } else if (!table.isEmpty() && column.lookingAt()) {
      add("column " + table + "." + column.group(1));
    } else if (line.startsWith(")")) {
      table = "";
    }
    pending.clear();
  }

  private void add(String what) {
    if (!pending.isEmpty()) {
      String text = String.join(" ", pending).replace("'", "''");
      statements.add("comment on %s is '%s'".formatted(what, text));
    }
  }
}

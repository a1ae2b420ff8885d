package dev.standpipe.internal.store.jdbc;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where Standpipe's tables are.
 *
 * @param schema the schema, or empty for the connection's own
 * @param prefix what every table's name starts with
 */
public record Tables(Optional<String> schema, String prefix) {
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,29}");

  private static final Pattern NAME = Pattern.compile("\\bstandpipe([._])(?=[a-z])");

  /** {@code standpipe_}, in the connection's own schema. */
  public static final Tables DEFAULT = new Tables(Optional.empty(), "standpipe_");

  /** Lets only plain identifiers through, since these become part of SQL. */
  public Tables {
    schema.ifPresent(name -> require("schema", name));
    require("table prefix", prefix);
  }

  /**
   * Puts the real names into SQL that says {@code standpipe.task} and {@code standpipe_…}: in one
   * pass, since a prefix or a schema may look like either. The schema is quoted, for it may be a
   * word of SQL.
   */
  public String resolve(String sql) {
    String qualified = schema.map(Tables::quoted).map(name -> name + ".").orElse("") + prefix;
    return NAME.matcher(sql).replaceAll(name -> name.group(1).equals(".") ? qualified : prefix);
  }

  /** A name as SQL takes it, whatever word it is. */
  public static String quoted(String name) {
    return '"' + name + '"';
  }

  private static void require(String what, String name) {
    if (!IDENTIFIER.matcher(name).matches()) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING,
          "The %s \"%s\" is not valid: use up to 30 lower-case letters, digits and _, not starting with a digit"
              .formatted(what, name));
    }
  }
}

package dev.standpipe.internal.store;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
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

  /** {@code standpipe_}, in the connection's own schema. */
  public static final Tables DEFAULT = new Tables(Optional.empty(), "standpipe_");

  /** Lets only plain identifiers through, since these become part of SQL. */
  public Tables {
    schema.ifPresent(name -> require("schema", name));
    require("table prefix", prefix);
  }

  /** Puts the real names into SQL that says {@code standpipe.task} and {@code standpipe_…}. */
  public String resolve(String sql) {
    String qualifier = schema.map(name -> name + ".").orElse("");
    return sql.replaceAll("\\bstandpipe\\.(?=[a-z])", qualifier + prefix)
        .replaceAll("\\bstandpipe_(?=[a-z])", prefix);
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

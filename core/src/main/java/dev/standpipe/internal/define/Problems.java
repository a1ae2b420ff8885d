package dev.standpipe.internal.define;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The mistakes of a definition, in the order in which they are found. Not thread-safe. */
final class Problems {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}");
  private static final String NAME_RULE =
      "use 1 to 100 letters, digits and . _ : / - , starting with a letter or digit";

  private final List<String> all = new ArrayList<>();

  /**
   * Adds a mistake.
   *
   * @param names the names that stand in quotes in the places of {@code %s}
   */
  void add(String text, String... names) {
    Object[] quoted = Arrays.stream(names).map(name -> '"' + name + '"').toArray();
    all.add(text.formatted(quoted));
  }

  /** Adds mistakes that are written already. */
  void addAll(List<String> written) {
    all.addAll(written);
  }

  /** Adds a mistake if a name cannot be one. */
  void requireName(String text, @Nullable String name, String... others) {
    if (name == null || !NAME.matcher(name).matches()) {
      List<String> names = new ArrayList<>(List.of(String.valueOf(name)));
      names.addAll(List.of(others));
      add(text + " is not valid: " + NAME_RULE, names.toArray(String[]::new));
    }
  }

  List<String> all() {
    return all;
  }
}

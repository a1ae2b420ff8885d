package dev.standpipe.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TablesProperties {
  private static final Pattern NAME = Pattern.compile("standpipe([._])([a-z]\\w*)");
  private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");

  /** Names that look like the ones they replace, besides any. */
  @Provide
  Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            "standpipe_",
            "standpipe",
            "standpipe_test_",
            "standpipe_standpipe_",
            "my_standpipe_",
            "x_standpipe",
            "task_",
            "a",
            "_",
            "user",
            "select"),
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .withChars('_')
            .ofMinLength(1)
            .ofMaxLength(30));
  }

  @Property(tries = 300)
  void everyTableNameIsResolvedOnce(
      @ForAll("names") String prefix,
      @ForAll("names") String schema,
      @ForAll boolean inSchema,
      @ForAll("dialects") String dialect) {
    Tables tables = new Tables(inSchema ? Optional.of(schema) : Optional.empty(), prefix);
    String plain = COMMENT.matcher(Sql.read(dialect + "/task.sql")).replaceAll("");
    String resolved = tables.resolve(plain);
    StringBuilder expected = new StringBuilder();
    int copied = 0;
    for (MatchResult name : NAME.matcher(plain).results().toList()) {
      boolean qualified = inSchema && name.group(1).equals(".");
      expected
          .append(plain.substring(copied, name.start()))
          .append(qualified ? '"' + schema + "\"." : "")
          .append(prefix)
          .append(name.group(2));
      copied = name.end();
    }
    assertThat(resolved).isEqualTo(expected.append(plain.substring(copied)).toString());
  }

  @Provide
  Arbitrary<String> dialects() {
    return Arbitraries.of("postgres", "sqlite");
  }
}

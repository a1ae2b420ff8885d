package dev.standpipe.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SqlConstantsTest {
  private static final Pattern BARE =
      Pattern.compile(
          "(?<![:\\w.])(?:\\w+\\.)?(?:state|outcome|followed)(?: \\+ 0)?\\s*(?:=|<>|[<>]=?|(?:not )?in \\()\\s*\\d");

  private static final Pattern NODE = Pattern.compile("'\\$\\w+'");

  @Test
  void namesAreReplacedAndParametersStay() {
    assertThat(SqlConstants.resolve("set state = :state.leased where outcome in (:outcome.failed)"))
        .isEqualTo("set state = 1 where outcome in (2)");
    assertThat(SqlConstants.resolve("node <> :node.input and n > :bundle.few"))
        .isEqualTo("node <> '$input' and n > 100");
    String parameters = "(:settled.state::smallint[], :state::smallint, :followed, x::state.y)";
    assertThat(SqlConstants.resolve(parameters)).isEqualTo(parameters);
  }

  @Test
  void anUnknownNameIsRefused() {
    for (String wrong :
        List.of(":state.redy", ":outcome.ready", ":followed.by", ":node.inputs", ":bundle.many")) {
      assertThatThrownBy(() -> SqlConstants.resolve("select " + wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong);
    }
    assertThatThrownBy(
            () ->
                new Sql(
                        "sqlite",
                        Tables.DEFAULT,
                        (name, sql) -> sql.replace(":lane", ":state.lost"))
                    .all())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared", "postgres", "sqlite"})
  void sqlNamesItsConstants(String folder) {
    List<String> files = new ArrayList<>(SqlFolder.FILES);
    files.addAll(List.of("schema", "views"));
    files.replaceAll(file -> folder + "/" + file + ".sql");
    files.removeIf(file -> !Sql.exists(file));
    for (String file : files) {
      String text = Sql.read(file).replaceAll("(?m)--.*$", "");
      assertThat(BARE.matcher(text).results().map(MatchResult::group)).as(file).isEmpty();
      assertThat(NODE.matcher(text).results().map(MatchResult::group)).as(file).isEmpty();
    }
    assertThat(BARE.matcher("where t.state + 0 = 1").find()).isTrue();
    assertThat(BARE.matcher("and outcome not in (1, 2)").find()).isTrue();
    assertThat(NODE.matcher("and node <> '$input'").find()).isTrue();
  }
}

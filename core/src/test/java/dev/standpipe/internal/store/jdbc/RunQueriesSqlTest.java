package dev.standpipe.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RunQueriesSqlTest {
  private static final Pattern CHANGES =
      Pattern.compile(
          "(?i)\\b(?:insert|update|delete|merge|lock|nextval|for (?:no key )?(?:update|share))\\b");

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void whatReadsRunsNeitherWritesNorLocks(String dialect) {
    assertThat(changes(dialect, "run_queries")).isEmpty();
    assertThat(changes(dialect, "run")).isNotEmpty();
  }

  private static List<String> changes(String dialect, String file) {
    String text = Sql.read(dialect + "/" + file + ".sql").replaceAll("(?m)--.*$", "");
    return CHANGES.matcher(text).results().map(MatchResult::group).toList();
  }
}

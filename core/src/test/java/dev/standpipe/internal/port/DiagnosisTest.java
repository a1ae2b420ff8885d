package dev.standpipe.internal.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Secrets;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosisTest {
  @ParameterizedTest
  @CsvSource({
    "28P01, DATABASE_LOGIN_REFUSED, user and password",
    "28000, DATABASE_LOGIN_REFUSED, pg_hba.conf",
    "3D000, DATABASE_LOGIN_REFUSED, create it",
    "25006, DATABASE_READ_ONLY, targetServerType=primary",
    "42501, DATABASE_RIGHTS_MISSING, Grant",
    "3F000, SCHEMA_MISMATCH, search_path",
    "42P01, SCHEMA_MISMATCH, search_path",
    "42P07, SCHEMA_MISMATCH, tablePrefix",
    "40001, DATABASE_CONFLICT, Call again",
    "40P01, DATABASE_CONFLICT, Call again",
    "57014, DATABASE_CONFLICT, statement_timeout",
    "53300, CONNECTIONS_EXHAUSTED, max_connections",
    "53100, DATABASE_ERROR, Make space",
    "22021, INVALID_VALUE, UTF8",
    "08006, DATABASE_UNREACHABLE, that it runs",
    "XX000, DATABASE_ERROR, refused a statement"
  })
  void serverErrorsAreExplained(String state, ErrorCode code, String advice) {
    StoreFailure failure = state.startsWith("08") ? StoreFailure.CONNECTION : StoreFailure.OTHER;
    StoreException error = new StoreException(failure, new SQLException("raw text", state));
    assertThat(error.code()).isEqualTo(code);
    assertThat(error).hasMessageContaining(advice).hasMessageContaining("[" + state + "]");
    assertThat(error).hasMessageEndingWith("It said: raw text");
  }

  @ParameterizedTest
  @CsvSource({
    "1, no such table: standpipe_run, SCHEMA_MISMATCH, use a file",
    "1, table standpipe_task already exists, SCHEMA_MISMATCH, tablePrefix",
    "5, database is locked, DATABASE_CONFLICT, Call again",
    "8, attempt to write a readonly database, DATABASE_READ_ONLY, Let this program write",
    "13, database or disk is full, DATABASE_ERROR, Make space",
    "14, unable to open database file, DATABASE_UNREACHABLE, its directory exists",
    "26, file is not a database, DATABASE_ERROR, Name another file"
  })
  void sqliteErrorsAreExplained(int vendor, String text, ErrorCode code, String advice) {
    StoreException error =
        new StoreException(StoreFailure.OTHER, new SQLException(text, null, vendor));
    assertThat(error.code()).isEqualTo(code);
    assertThat(error).hasMessageContaining(advice).hasMessageContaining(text);
  }

  @Test
  void anExhaustedPoolIsBlamedOnlyWithoutACause() {
    SQLException waited = new SQLTransientConnectionException("request timed out after 30000ms");
    assertThat(new StoreException(StoreFailure.CONNECTION, waited).code())
        .isEqualTo(ErrorCode.CONNECTIONS_EXHAUSTED);
    SQLException caused =
        new SQLTransientConnectionException(
            "request timed out after 30000ms", new SQLException("no entry", "28000"));
    assertThat(new StoreException(StoreFailure.CONNECTION, caused).code())
        .isEqualTo(ErrorCode.DATABASE_LOGIN_REFUSED);
  }

  @Test
  void anUnknownHostIsReported() {
    SQLException error =
        new SQLException("The connection attempt failed.", "08001", new UnknownHostException("db"));
    assertThat(new StoreException(StoreFailure.CONNECTION, error))
        .hasMessageContaining("its host is unknown");
  }

  @Test
  void misconfigurationIsNotRetried() {
    SQLException password = new SQLException("password authentication failed", "28P01");
    assertThat(StoreException.atFirst(password).failure()).isEqualTo(StoreFailure.OTHER);
    SQLException down = new SQLException("connection refused", "08001");
    assertThat(StoreException.atFirst(down).failure()).isEqualTo(StoreFailure.CONNECTION);
  }

  @Test
  void callersGetAPublicException() {
    SQLException cause = new SQLException("raw text", "42P01");
    StandpipeException error = new StoreException(StoreFailure.OTHER, cause).forCallers();
    assertThat(error).isExactlyInstanceOf(StandpipeException.class).hasCause(cause);
  }

  @Test
  void textWithoutAPasswordStaysUnchanged() {
    String url = "jdbc:postgresql://h:5432/db?user=ann@server";
    assertThat(Secrets.hidden("cannot reach " + url + " at 12:30")).contains(url, "12:30");
  }

  @ParameterizedTest
  @CsvSource({
    "No suitable driver found for jdbc:x://h/db?user=ann&password=s3cret",
    "invalid URL jdbc:postgresql://ann:s3cret@host:notaport/db",
    "jdbc:postgresql://h/db?sslpassword=s3cret&user=ann",
    "jdbc:sqlserver://h;user=ann;password=s3cret;x=y",
    "JDBC URL contains too many / characters: jdbc:postgresql://ann:s3cret/s3cret@h/db",
    "jdbc:postgresql://ann:s3cret@s3cret@h:1/db?a=b",
    "jdbc:postgresql://ann:s3cret?s3cret@h:1/db",
    "jdbc:postgresql://h/db?user=ann&password=s3cret;s3cret",
    "ann:s3cret/s3cret@h/db cannot be reached"
  })
  void passwordsInUrlsAreHidden(String text) {
    assertThat(Secrets.hidden(text)).doesNotContain("s3cret").contains("***", "ann");
    StoreException error =
        new StoreException(StoreFailure.CONNECTION, new SQLException(text, "08001"));
    assertThat(error.getMessage()).doesNotContain("s3cret");
  }
}

package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers older than ours, such as frameworks bring, and databases that are no files. */
class OldSqliteTest {
  private final SqliteFile file = SqliteFile.create();

  @AfterEach
  void delete() {
    file.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.42", "3.49"})
  void aDriverThatFrameworksBringWorks(String version) throws Exception {
    Tour.take(OtherVersions.sqlite(version, file.jdbcUrl()));
  }

  @Test
  void aTooOldDriverIsRefused() throws Exception {
    DataSource old = OtherVersions.sqlite("3.40", file.jdbcUrl());
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Standpipe.on(old).start())
        .withMessageContaining("3.42 or newer")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_DATABASE));
    assertThat(EngineFixture.query(old, "select count(*) from sqlite_master")).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlite::memory:",
        "jdbc:sqlite:",
        "jdbc:sqlite:file:x?mode=memory&cache=shared"
      })
  void aDatabaseInMemoryIsRefusedWithAHint(String url) throws Exception {
    DataSource memory = OtherVersions.sqlite("3.49", url);
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Standpipe.on(memory).start())
        .withMessageContaining("in memory")
        .withMessageContaining("use a file")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_DATABASE));
  }
}

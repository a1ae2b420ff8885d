package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Standpipe;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteDataSource;

class SqliteEngineTest extends EngineContract {
  private final List<SqliteFile> files = new ArrayList<>();

  @Override
  public DataSource emptyDatabase() {
    return sourceOf(SqliteFile.create());
  }

  @Override
  public DataSource migratedDatabase() {
    return sourceOf(SqliteFile.migrated());
  }

  private DataSource sourceOf(SqliteFile file) {
    files.add(file);
    return file.dataSource();
  }

  @AfterEach
  void delete() {
    engine().close();
    files.forEach(file -> StoredStatuses.assertFit(file.dataSource()));
    files.forEach(SqliteFile::close);
  }

  @Test
  void anUnopenableFileIsReportedInTime() {
    SQLiteDataSource nowhere = new SQLiteDataSource();
    nowhere.setUrl("jdbc:sqlite:/no/such/directory/standpipe.db");
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Standpipe.on(nowhere).connectTimeout(Duration.ofSeconds(1)).start())
        .withMessageContaining("could not be reached within 1 s")
        .withMessageContaining("SQLITE_CANTOPEN")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE));
  }
}

package dev.standpipe.conformance;

import static dev.standpipe.conformance.fixture.StoreFixture.ENTRY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.definition.Graph;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.PendingWork;
import dev.standpipe.internal.port.PendingWork.Written;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.port.Processes.Member;
import dev.standpipe.internal.port.Processes.Serving;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SqliteStoreTest extends StoreContract {
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

  @Test
  void heartbeatsDoNotTriggerALook() {
    try (StoreFixture db = StoreFixture.in(migratedDatabase())) {
      UUID process = db.join();
      PendingWork needs = db.another().pendingWork();
      assertThat(needs.written()).as("nothing is known yet").isEqualTo(Written.UNKNOWN);
      needs.look(List.of());
      assertThat(needs.written()).as("since the log began").isEqualTo(Written.SOMETHING);
      assertThat(needs.written()).isEqualTo(Written.NOTHING);
      for (String checkpoint : List.of("passive", "restart", "truncate")) {
        beat(db, process);
        assertThat(needs.written()).as("a heartbeat").isEqualTo(Written.NOTHING);
        db.start();
        beat(db, process);
        assertThat(needs.written()).as("a start before a heartbeat").isEqualTo(Written.SOMETHING);
        assertThat(needs.written()).isEqualTo(Written.NOTHING);
        db.execute("begin; delete from standpipe_task; rollback");
        assertThat(needs.written()).as("what was taken back").isEqualTo(Written.NOTHING);
        db.query("pragma wal_checkpoint(%s)".formatted(checkpoint));
        beat(db, process);
        assertThat(needs.written()).as("after a checkpoint").isEqualTo(Written.NOTHING);
        db.store().processes().leave(process);
        assertThat(needs.written()).as("there is one less").isEqualTo(Written.SOMETHING);
        process = db.join();
        assertThat(needs.written()).as("there is one more").isEqualTo(Written.SOMETHING);
      }
    }
  }

  private static void beat(StoreFixture db, UUID process) {
    assertThat(db.store().processes().renew(process, Duration.ofMinutes(1))).isTrue();
  }

  /** The process table has outgrown its one page, so that heartbeats look like anything else. */
  @Test
  void heartbeatsOfVeryManyProcessesTriggerALook() {
    try (StoreFixture db = StoreFixture.in(migratedDatabase())) {
      List<UUID> processes = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        processes.add(db.join());
      }
      PendingWork needs = db.another().pendingWork();
      needs.look(List.of());
      needs.written();
      beat(db, processes.get(7));
      assertThat(needs.written()).isEqualTo(Written.SOMETHING);
    }
  }

  @Test
  void eightWritersNeverSeeABusyFile() {
    DataSource source = emptyDatabase();
    StoreFixture.in(source).close();
    Racers.race(
        8,
        number -> {
          SqliteDialect dialect = new SqliteDialect();
          // a connection for each call: opening, setting up and closing are part of the crowd
          try (Store store =
              new JdbcStore(
                  dialect,
                  new Sql(dialect.name(), Tables.DEFAULT),
                  new PooledConnections(source, dialect))) {
            UUID process = UUID.randomUUID();
            Graph graph = StoreFixture.graph("crowd", "a");
            int lane = store.definitions().register(graph);
            Registered crowd = new Registered(lane, graph);
            store
                .processes()
                .join(
                    new Member(process, "p" + number, "localhost", 1),
                    Duration.ofMinutes(1),
                    new Serving(List.of(lane), Processes.CRASH_LIMIT, List.of()));
            for (int i = 0; i < 40; i++) {
              store.runs().start(crowd, List.of(StoreFixture.newRun()), List.of(ENTRY));
              List<Settlement> batch =
                  StoreFixture.claim(store, process, 3, lane).stream()
                      .map(task -> Success.of(task).endsRun().settlement())
                      .toList();
              store.tasks().settle(process, batch);
              store.processes().renew(process, Duration.ofMinutes(1));
              store.processes().reap(process);
            }
            return true;
          }
        });
    try (StoreFixture after = StoreFixture.on(source)) {
      assertThat(after.query("select status, count(*) from standpipe.run group by status"))
          .containsExactly("succeeded|320");
    }
  }

  @Test
  void openingAFileWaitsForItsWriter() throws Exception {
    DataSource source = emptyDatabase();
    try (Connection writer = source.getConnection();
        Statement statement = writer.createStatement()) {
      statement.execute("create table theirs (id integer)");
      statement.execute("begin immediate");
      CompletableFuture<Boolean> opened = CompletableFuture.supplyAsync(() -> opens(source));
      assertThat(opened)
          .failsWithin(Duration.ofMillis(300))
          .withThrowableThat()
          .isInstanceOf(TimeoutException.class);
      statement.execute("commit");
      assertThat(opened).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
    }
  }

  private static boolean opens(DataSource source) {
    try (Connection connection = source.getConnection()) {
      new SqliteDialect().borrow(connection);
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void delete() {
    files.forEach(file -> StoredStatuses.assertFit(file.dataSource()));
    files.forEach(SqliteFile::close);
  }
}

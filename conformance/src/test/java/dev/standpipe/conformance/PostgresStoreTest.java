package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.store.run.SchemaContract;
import dev.standpipe.internal.store.jdbc.Tables;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreContract {
  @Override
  public DataSource emptyDatabase() {
    return PostgresServer.hasty().freshDatabase();
  }

  @Override
  public DataSource migratedDatabase() {
    return PostgresServer.hasty().migratedDatabase();
  }

  @AfterEach
  void theTablesAgree() {
    StoppedRuns.assertListed(db().source());
    StoredStatuses.assertFit(db().source());
  }

  /** Whatever is to survive a fault is tested on this one. */
  @Test
  void theSharedServerSyncsEveryCommit() {
    DataSource shared = PostgresServer.shared().freshDatabase();
    assertThat(
            EngineFixture.query(
                shared, "select current_setting('fsync'), current_setting('synchronous_commit')"))
        .containsExactly("on|on");
    assertThat(EngineFixture.query(shared, "show server_encoding")).containsExactly("UTF8");
  }

  @Test
  void theTablesMayLiveInTheirOwnSchema() {
    DataSource empty = emptyDatabase();
    try (StoreFixture fixture =
        StoreFixture.in(empty, new Tables(Optional.of("flows"), "standpipe_"))) {
      SchemaContract.runsThrough(fixture);
      assertThat(fixture.query("select count(*) from flows.standpipe_run")).containsExactly("1");
    }
  }

  @Test
  void theDatabaseDescribesEachTableAndColumn() {
    assertThat(
            db().query(
                    """
                    select c.relname, a.attname
                    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                    where c.relname like 'standpipe\\_%' and c.relkind = 'r'
                      and (obj_description(c.oid, 'pg_class') is null or col_description(c.oid, a.attnum) is null)"""))
        .isEmpty();
    assertThat(
            db().query(
                    "select col_description('standpipe_task'::regclass, attnum) from pg_attribute"
                        + " where attrelid = 'standpipe_task'::regclass and attname = 'owner'"))
        .containsExactly("The process that holds it, while it is leased.");
  }

  /** Whatever names a run says so in its name, or the list of tables with runs would miss it. */
  @Test
  void idColumnsNameTheirRunOrProcess() {
    assertThat(
            db().query(
                    """
                    select distinct a.attname
                    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                    where c.relname like 'standpipe\\_%' and c.relkind = 'r'
                      and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
                      and a.attname not like '%run\\_id' and a.attname not like '%process\\_id'
                    order by 1"""))
        .containsExactly("bundle", "event_id", "held_by", "id", "owner", "runs");
  }

  @Test
  void aKilledServerKeepsItsCommits() {
    try (PostgresServer server = PostgresServer.start()) {
      DataSource source = server.freshDatabase();
      try (StoreFixture fixture = StoreFixture.in(source)) {
        fixture.start(10);
        var before = fixture.dump();
        server.kill();
        server.restart();
        assertThat(fixture.dump()).isEqualTo(before);
      }
    }
  }
}

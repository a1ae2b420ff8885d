package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** F5: three processes reap at the same moment; what a dead process held is recovered once. */
class F05ThreeReapersTest {
  private static final int ROUNDS = 100;
  private static final int TASKS = 10;

  /** So high that in all rounds no task has to wait, or is quarantined. */
  private static final int CRASH_LIMIT = 1_000;

  @Test
  void eachDeadProcessIsRecoveredOnceOnPostgres() {
    eachDeadProcessIsRecoveredOnce(PostgresServer.shared().freshDatabase());
  }

  @Test
  void eachDeadProcessIsRecoveredOnceOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      eachDeadProcessIsRecoveredOnce(file.dataSource());
    }
  }

  private static void eachDeadProcessIsRecoveredOnce(DataSource source) {
    try (StoreFixture db = StoreFixture.in(source)) {
      db.start(TASKS);
      List<UUID> dead = new ArrayList<>();
      CyclicBarrier round =
          new CyclicBarrier(
              3,
              () -> {
                UUID process = db.join(Duration.ofSeconds(-1), CRASH_LIMIT);
                assertThat(claimAll(db, process)).hasSize(TASKS);
                dead.add(process);
                db.keepSteady();
              });
      List<Reaped> reaped = new ArrayList<>();
      Racers.race(3, number -> reapEachRound(db.another(), round)).forEach(reaped::addAll);

      assertThat(reaped).extracting(Reaped::id).containsExactlyInAnyOrderElementsOf(dead);
      assertThat(reaped).allMatch(one -> one.tasks() == TASKS);
      assertThat(db.query("select count(*) from standpipe.attempt where outcome = 'crashed'"))
          .containsExactly("" + ROUNDS * TASKS);
      assertThat(claimAll(db, db.join()))
          .hasSize(TASKS)
          .extracting(Claimed::crashes)
          .containsOnly(ROUNDS);
    }
  }

  /** From the third round on, all are suspects. */
  private static List<Claimed> claimAll(StoreFixture db, UUID process) {
    List<Claimed> claimed = new ArrayList<>(db.claim(process, 2 * TASKS));
    Optional<Claimed> suspect = db.claimSuspect(process);
    while (suspect.isPresent()) {
      claimed.add(suspect.get());
      suspect = db.claimSuspect(process);
    }
    return claimed;
  }

  private static List<Reaped> reapEachRound(Store store, CyclicBarrier round) throws Exception {
    List<Reaped> mine = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      round.await(60, TimeUnit.SECONDS);
      Optional<Reaped> reaped = store.processes().reap(UUID.randomUUID());
      reaped.ifPresent(mine::add);
    }
    return mine;
  }
}

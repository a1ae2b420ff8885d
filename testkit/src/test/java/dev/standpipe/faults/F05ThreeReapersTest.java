package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.spi.Processes.Reaped;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks.Claimed;
import dev.standpipe.testkit.PostgresServer;
import dev.standpipe.testkit.Racers;
import dev.standpipe.testkit.SqliteFile;
import dev.standpipe.testkit.StoreFixture;
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
                UUID process = db.join(Duration.ofSeconds(-1));
                assertThat(db.claim(process, TASKS)).hasSize(TASKS);
                dead.add(process);
              });
      List<Reaped> reaped = new ArrayList<>();
      Racers.race(3, number -> reapEachRound(db.another(), round)).forEach(reaped::addAll);

      assertThat(reaped).extracting(Reaped::id).containsExactlyInAnyOrderElementsOf(dead);
      assertThat(reaped).allMatch(one -> one.tasks() == TASKS);
      assertThat(db.query("select count(*) from standpipe.attempt where outcome = 'crashed'"))
          .containsExactly("" + ROUNDS * TASKS);
      assertThat(db.claim(db.join(), 2 * TASKS))
          .hasSize(TASKS)
          .extracting(Claimed::crashes)
          .containsOnly(ROUNDS);
    }
  }

  private static List<Reaped> reapEachRound(Store store, CyclicBarrier round) throws Exception {
    List<Reaped> mine = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      round.await(60, TimeUnit.SECONDS);
      Optional<Reaped> reaped = store.processes().reap();
      reaped.ifPresent(mine::add);
    }
    return mine;
  }
}

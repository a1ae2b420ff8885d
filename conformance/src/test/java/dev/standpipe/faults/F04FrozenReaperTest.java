package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.Succeeded;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * F4: a reaper has found a process whose lease ran out and is held up before it takes its tasks;
 * meanwhile the process commits. What it has committed stands, and is not done again. (On SQLite
 * the reaper's transaction keeps all others out, so there is no such moment.)
 */
class F04FrozenReaperTest {
  private static final String TAKES_THE_TASKS = "as crashes,";

  private final DataSource source = PostgresServer.shared().freshDatabase();

  @Test
  void aFrozenReaperSparesACommittedStep() throws Exception {
    try (StoreFixture db = StoreFixture.in(source)) {
      UUID late = db.join(Duration.ofSeconds(-1));
      Claimed task = db.startAndClaim(late);
      Optional<Reaped> reaped =
          reapWhile(
              () ->
                  assertThat(db.fate(late, success(task, null)))
                      .isEqualTo(SettlementFate.COMMITTED));
      assertThat(reaped).hasValueSatisfying(one -> assertThat(one.tasks()).isZero());
      assertThat(db.query("select status from standpipe.run")).containsExactly("succeeded");
      assertThat(db.query("select node, token from standpipe.result where node <> '$input'"))
          .containsExactly("a|1");
      assertThat(db.query("select count(*) from standpipe.task")).containsExactly("0");
      assertThat(db.query("select count(*) from standpipe.attempt")).containsExactly("0");
    }
  }

  @Test
  void aFrozenReaperReapsOnlyTheUncommittedStep() throws Exception {
    try (StoreFixture db = StoreFixture.in(source)) {
      UUID late = db.join(Duration.ofSeconds(-1));
      Claimed task = db.startAndClaim(late);
      Optional<Reaped> reaped =
          reapWhile(
              () ->
                  assertThat(db.fate(late, success(task, new Next("b", 0, true))))
                      .isEqualTo(SettlementFate.COMMITTED));
      assertThat(reaped).hasValueSatisfying(one -> assertThat(one.tasks()).isEqualTo(1));
      assertThat(db.query("select node, token from standpipe.result where node <> '$input'"))
          .containsExactly("a|1");
      assertThat(db.query("select node, token, outcome from standpipe.attempt"))
          .containsExactly("b|2|crashed");
      assertThat(db.claim(db.join())).extracting(Claimed::node, Claimed::token).contains("b", 3L);
    }
  }

  private Optional<Reaped> reapWhile(Runnable commit) throws Exception {
    Gate gate = new Gate(source, TAKES_THE_TASKS);
    try (StoreFixture reaper = StoreFixture.on(gate.dataSource())) {
      CompletableFuture<Optional<Reaped>> reaped =
          CompletableFuture.supplyAsync(() -> reaper.reap());
      gate.awaitReached();
      commit.run();
      gate.open();
      return reaped.get(60, TimeUnit.SECONDS);
    }
  }

  private static Settlement success(Claimed task, @Nullable Next next) {
    Value value = new Value(task.node(), task.index(), "1", false);
    return StoreFixture.settlement(
        task, new Succeeded(List.of(value), next, List.of(), List.of(), next == null));
  }
}

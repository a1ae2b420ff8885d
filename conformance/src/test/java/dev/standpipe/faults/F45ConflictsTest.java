package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.operate.Operator;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * F45: what callers do loses races with other transactions, some of them not ours. Nothing of it
 * took effect, so it is done again, and no caller hears of it.
 */
class F45ConflictsTest {
  private static final Pipeline<Integer, Integer> PIPELINE = threeSteps("three", Duration.ZERO);
  private static final int LOST = 3;

  private final DataSource source = PostgresServer.hasty().freshDatabase();
  private final EngineFixture processes = new EngineFixture(source);
  private final Standpipe client = processes.client();
  private final Operator ann = client.operator("ann");

  @AfterEach
  void close() {
    processes.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void aCallThatLosesARaceIsRetried(String state) throws InterruptedException {
    client.start(PIPELINE, 0); // registers it
    loseRaces(state);
    List<AtomicReference<Run<Integer>>> made = List.of(ref(), ref(), ref(), ref());
    RunOptions late = RunOptions.none().delay(Duration.ofHours(1));
    losing(() -> made.get(0).set(client.start(PIPELINE, 1)));
    losing(() -> made.get(1).set(client.start(PIPELINE, 2, RunOptions.key("two"))));
    losing(() -> made.get(2).set(client.startAll(PIPELINE, List.of(3, 4)).get(0)));
    losing(() -> made.get(3).set(client.start(PIPELINE, 5, late.deadline(Duration.ofHours(2)))));
    Run<Integer> run = made.get(3).get();
    losing(() -> run.then(PIPELINE));
    losing(() -> ann.pause(run.id(), "wait"));
    losing(() -> ann.resume(run.id(), "go on"));
    losing(() -> ann.cancel(run.id(), "not needed", Duration.ZERO));
    assertThat(run.status()).isEqualTo(RunStatus.CANCELED);
    losing(() -> ann.revive(run.id(), "needed"));
    assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    losing(() -> ann.rerun(run.id(), "twice"));
    losing(() -> ann.pause("three", "all of them"));
    losing(() -> ann.resume("three", "all of them"));

    processes.execute("alter sequence lost_races restart 100");
    processes.start(processes.process(PIPELINE));
    for (int i = 0; i < 3; i++) {
      assertThat(made.get(i).get().await(PATIENCE)).isEqualTo(i + 4);
    }
    assertThat(processes.query("select count(*) from standpipe_run")).containsExactly("8");
  }

  /**
   * What is written in the caller's transaction is lost with it: only the caller can repeat that.
   */
  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void aConflictInTheCallersTransactionReachesTheCaller(String state) throws SQLException {
    client.start(PIPELINE, 0);
    loseRaces(state);
    processes.execute("alter sequence lost_races restart");
    try (Connection callers = source.getConnection()) {
      callers.setAutoCommit(false);
      assertThatThrownBy(() -> client.start(callers, PIPELINE, 1, RunOptions.none()))
          .isInstanceOfSatisfying(
              StandpipeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_CONFLICT));
      callers.rollback();
    }
    assertThat(processes.query("select count(*) from standpipe_run")).containsExactly("1");
  }

  private static AtomicReference<Run<Integer>> ref() {
    return new AtomicReference<>();
  }

  /** Takes back the first few transactions that write to one of these tables. */
  private void loseRaces(String state) {
    processes.execute(
        """
        create sequence lost_races;
        select setval('lost_races', 100);
        create function lose_race() returns trigger language plpgsql as $$
        begin
          if nextval('lost_races') <= %d then
            raise exception 'lost a race' using errcode = '%s';
          end if;
          return null;
        end $$
        """
            .formatted(LOST, state));
    for (String table : List.of("run", "task", "pause", "audit")) {
      processes.execute(
          "create trigger lose_race after insert or update or delete on standpipe_"
              + table
              + " for each statement execute function lose_race()");
    }
  }

  private void losing(Runnable call) {
    processes.execute("alter sequence lost_races restart");
    call.run();
    assertThat(processes.query("select last_value > " + LOST + " from lost_races"))
        .containsExactly("t");
  }
}

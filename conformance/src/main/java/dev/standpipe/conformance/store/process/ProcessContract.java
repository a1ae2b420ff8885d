package dev.standpipe.conformance.store.process;

import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Processes, their leases and their ends. */
public interface ProcessContract extends StorePart {
  /** A lease that has run out by the time anybody asks. */
  Duration GONE = Duration.ofSeconds(-1);

  /** As a process does that one of its bodies ends by {@code System.exit}, perhaps every second. */
  @Test
  default void anExitingProcessDoesNotDelayTheReaper() {
    Duration lease = Duration.ofMinutes(10);
    UUID alive = db().join(lease);
    UUID exits = db().join(lease);
    UUID dead = db().join(lease);
    boolean postgres = db().dialect().name().equals("postgres");
    db().execute(
            "update standpipe.process set lease_expires_at = %s where id = '%s'"
                .formatted(postgres ? "'-infinity'" : "0", dead));
    db().keepSteady();
    Processes processes = db().store().processes();
    processes.renew(alive, lease);
    processes.renew(exits, Duration.ZERO);
    String late = "select count(*) from standpipe.heartbeat where expected_by <= ";
    assertThat(db().query(late + (postgres ? "now()" : "unixepoch('subsec') * 1000000")))
        .containsExactly("0");
    processes.renew(alive, lease);
    await().until(() -> processes.reap(alive).isPresent());
    await().until(() -> processes.reap(alive).isPresent());
    assertThat(db().query("select id from standpipe.process")).containsExactly(alive.toString());
  }

  @Test
  default void aLiveLeaseIsNotReaped() {
    db().startAndClaim(db().join());
    var before = db().dump();
    assertThat(db().reap()).isEmpty();
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aProcessIsLiveWhileItsLeaseLasts() {
    Processes processes = db().store().processes();
    UUID process = db().join();
    assertThat(processes.isLive(process)).isTrue();
    assertThat(processes.isLive(db().join(GONE))).isFalse();
    assertThat(processes.isLive(UUID.randomUUID())).isFalse();
    processes.leave(process);
    assertThat(processes.isLive(process)).isFalse();
  }

  @Test
  default void anUnrenewedLeaseExpires() {
    UUID process = db().join();
    Processes processes = db().store().processes();
    assertThat(db().reap()).isEmpty();
    assertThat(processes.renew(process, Duration.ofMillis(300))).isTrue();
    await().until(() -> db().reap().map(Reaped::id), Optional.of(process)::equals);
  }

  @Test
  default void aRenewedLeaseLasts() {
    UUID process = db().join(Duration.ofMillis(200));
    Processes processes = db().store().processes();
    assertThat(processes.renew(process, Duration.ofMinutes(10))).isTrue();
    UUID sacrifice = db().join(Duration.ofMillis(200));
    await().until(() -> db().reap().map(Reaped::id), Optional.of(sacrifice)::equals);
    assertThat(processes.renew(process, Duration.ofMinutes(10))).isTrue();
  }

  @Test
  default void theReaperReadiesTasksWithOneCrashEach() {
    UUID process = db().join(GONE);
    db().start(3);
    List<Claimed> tasks = db().claim(process, 2);
    Reaped reaped = db().reap().orElseThrow();
    assertThat(reaped).isEqualTo(new Reaped(process, "p-" + process, 2));
    for (Claimed task : tasks) {
      assertThat(db().store().runQueries().steps(task.run()))
          .containsExactly(new StepInfo("a", 0, StepState.READY, 1, 1, task.token()));
      AttemptInfo attempt = db().store().runQueries().attempts(task.run()).get(0);
      assertThat(attempt.outcome()).isEqualTo(AttemptOutcome.CRASHED);
      assertThat(attempt.token()).isEqualTo(task.token());
      assertThat(attempt.process()).isEqualTo(process);
      assertThat(attempt.error()).isEmpty();
    }
    assertThat(db().query("select * from standpipe.process")).isEmpty();
    assertThat(db().query("select * from standpipe.serving")).isEmpty();
    assertThat(db().store().tasks().held(process)).isEmpty();
    var before = db().dump();
    assertThat(db().reap()).isEmpty();
    assertThat(db().dump()).isEqualTo(before);
    assertThat(db().claim(db().join(), 10))
        .extracting(Claimed::token, Claimed::crashes)
        .containsExactlyInAnyOrder(tuple(1L, 0), tuple(2L, 1), tuple(2L, 1));
  }

  @Test
  default void theReaperLeavesOtherProcessesAlone() {
    UUID living = db().join();
    Claimed held = db().startAndClaim(living);
    db().startAndClaim(db().join(GONE));
    assertThat(db().reap().map(Reaped::tasks)).contains(1);
    UUID leaving = db().join();
    db().claim(leaving);
    db().store().processes().leave(leaving);
    assertThat(db().store().tasks().held(living)).containsExactly(held.ref());
    assertThat(db().store().runQueries().attempts(held.run())).isEmpty();
  }

  @Test
  default void aRenewalExtendsOneLeaseOnly() {
    UUID dead = db().join(GONE);
    UUID living = db().join();
    assertThat(db().store().processes().renew(living, Duration.ofMinutes(1))).isTrue();
    assertThat(db().reap().map(Reaped::id)).contains(dead);
  }

  @Test
  default void crashesAddUpUntilTheStepMakesProgress() {
    Claimed task = db().startAndClaim(db().join(GONE));
    for (int crashes = 1; crashes <= 2; crashes++) {
      assertThat(db().reap()).isPresent();
      UUID next = db().join(GONE);
      task = crashes < 2 ? db().claim(next) : db().claimSuspect(next).orElseThrow();
      assertThat(task.crashes()).isEqualTo(crashes);
      assertThat(task.attempt()).isEqualTo(1);
    }
    assertThat(db().reap()).isPresent();
    UUID process = db().join();
    task = db().claimSuspect(process).orElseThrow();
    db().settle(process, retried(task, Duration.ZERO));
    task = db().claimSuspect(process).orElseThrow();
    assertThat(task.crashes()).isEqualTo(3);
    db().settle(process, Success.of(task).next("b", false).settlement());
    assertThat(db().claim(process).crashes()).isZero();
  }

  @Test
  default void theNextStepStartsWithoutCrashes() {
    db().startAndClaim(db().join(GONE));
    assertThat(db().reap()).isPresent();
    UUID process = db().join();
    Claimed task = db().claim(process);
    db().settle(process, Success.of(task).next("b", true).settlement());
    assertThat(db().store().runQueries().steps(task.run()))
        .contains(new StepInfo("b", 0, StepState.LEASED, 1, 0, task.token() + 1));
  }

  @Test
  default void theReaperReapsExpiredProcessesOneByOne() {
    for (int i = 0; i < 3; i++) {
      db().join(GONE);
    }
    db().join();
    for (int i = 0; i < 3; i++) {
      assertThat(db().reap()).isPresent();
    }
    assertThat(db().reap()).isEmpty();
    assertThat(db().query("select count(*) from standpipe.process")).containsExactly("1");
  }

  @Test
  default void racingReapersReapAProcessOnce() {
    for (int trial = 0; trial < 20; trial++) {
      db().start(5);
      UUID process = db().join(GONE);
      assertThat(db().claim(process, 5)).hasSize(5);
      db().keepSteady();
      List<Reaped> reaped = new ArrayList<>();
      Racers.race(
              3,
              number -> {
                try (var store = db().another()) {
                  return store.processes().reap(UUID.randomUUID());
                }
              })
          .forEach(one -> one.ifPresent(reaped::add));
      assertThat(reaped).containsExactly(new Reaped(process, "p-" + process, 5));
      UUID next = db().join();
      List<Claimed> recovered = db().claim(next, 10);
      assertThat(recovered).hasSize(5).allMatch(task -> task.crashes() == 1);
      recovered.forEach(task -> db().settle(next, Success.of(task).endsRun().settlement()));
    }
  }

  @Test
  default void aReapedProcessCannotRenew() {
    UUID process = db().join(GONE);
    db().reap();
    assertThat(db().store().processes().renew(process, Duration.ofMinutes(1))).isFalse();
    assertThat(db().query("select * from standpipe.process")).isEmpty();
  }

  @Test
  default void anExpiredProcessMayRenewBeforeItIsReaped() {
    UUID process = db().join(GONE);
    assertThat(db().store().processes().renew(process, Duration.ofMinutes(1))).isTrue();
    assertThat(db().reap()).isEmpty();
  }

  /** As after an outage: nobody was heard of for long, and the leases of all have run out. */
  @Test
  default void theReaperWaitsALeaseAfterAnOutage() {
    Processes processes = db().store().processes();
    db().keepSteady();
    UUID silent = db().join(Duration.ofMinutes(1));
    UUID heard = db().join(Duration.ofMinutes(1));
    String past = db().dialect().name().equals("postgres") ? "'-infinity'" : "0";
    db().execute("update standpipe.process set lease_expires_at = " + past);
    db().execute(
            "update standpipe.heartbeat set expected_by = " + past + ", steady_since = " + past);
    assertThat(processes.reap(heard)).as("nobody was heard of yet").isEmpty();
    assertThat(processes.renew(heard, Duration.ofMinutes(1))).isTrue();
    assertThat(processes.reap(heard)).as("another may be heard of any moment").isEmpty();
    assertThat(processes.renew(heard, Duration.ofMinutes(1))).isTrue();
    assertThat(processes.reap(heard)).isEmpty();
    db().execute("update standpipe.heartbeat set steady_since = " + past);
    assertThat(processes.renew(heard, Duration.ofMinutes(1))).isTrue();
    assertThat(processes.reap(heard).map(Reaped::id)).contains(silent);
  }

  @Test
  default void aProcessNeverReapsItself() {
    UUID process = db().join(GONE);
    db().keepSteady();
    assertThat(db().store().processes().reap(process)).isEmpty();
    assertThat(db().reap().map(Reaped::id)).contains(process);
  }

  @Test
  default void aProcessKnownToBeDeadIsReapedAtOnce() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().store().processes().reapNow(process))
        .contains(new Reaped(process, "p-" + process, 1));
    assertThat(db().store().processes().reapNow(process)).isEmpty();
    assertThat(db().fate(process, Success.of(task).settlement())).isEqualTo(SettlementFate.STALE);
    assertThat(db().claim(db().join()).crashes()).isEqualTo(1);
  }

  @Test
  default void aLeavingProcessReleasesItsTasksUncounted() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().store().processes().leave(process);
    assertThat(db().query("select * from standpipe.process")).isEmpty();
    assertThat(db().query("select * from standpipe.serving")).isEmpty();
    assertThat(db().store().runQueries().attempts(task.run())).isEmpty();
    Claimed again = db().claim(db().join());
    assertThat(again.crashes()).isZero();
    assertThat(again.token()).isEqualTo(task.token() + 1);
    db().store().processes().leave(process);
  }

  @Test
  default void theReaperRecoversTasksOfAGoneProcess() {
    UUID zombie = db().join();
    Claimed task = db().startAndClaim(zombie);
    db().settle(
            zombie, Success.expand(task, 3).starts(new NewTasks("item", 10, 0, 3, 0)).settlement());
    assertThat(db().claim(zombie, 2)).hasSize(2);
    db().overtake(zombie);
    assertThat(db().reap()).contains(new Reaped(zombie, "unknown", 2));
    assertThat(db().reap()).isEmpty();
    assertThat(db().claim(db().join(), 10)).hasSize(3);
    assertThat(db().reap()).isEmpty();
  }

  @Test
  default void reapingAndSettlingAtOnceLosesNoTask() {
    for (int trial = 0; trial < 20; trial++) {
      db().start(30);
      UUID process = db().join();
      List<Claimed> tasks = db().claim(process, 30);
      Racers.race(
          2,
          number -> {
            try (var store = db().another()) {
              if (number == 0) {
                return store.processes().reapNow(process).map(Reaped::tasks).orElse(0);
              }
              for (Claimed task : tasks) {
                store
                    .tasks()
                    .settle(
                        process,
                        List.of(
                            Success.expand(task, 1)
                                .starts(new NewTasks("item", 10, 0, 1, 1))
                                .settlement()));
              }
              return 0;
            }
          });
      db().reap();
      UUID heir = db().join();
      List<Claimed> left = db().claim(heir, 100);
      assertThat(left).hasSize(30);
      left.forEach(task -> db().settle(heir, Success.of(task).endsRun().settlement()));
    }
  }
}

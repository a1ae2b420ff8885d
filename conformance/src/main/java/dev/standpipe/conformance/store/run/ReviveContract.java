package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.store.run.CancelContract.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Quarantines;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs that are brought back. */
public interface ReviveContract extends StorePart {
  Audited BY_EVE = new Audited("eve", "the press is mended");

  private Quarantines quarantines() {
    return db().store().quarantines();
  }

  private RunInfo info(UUID run) {
    return db().store().runQueries().find(run).orElseThrow();
  }

  /** A run whose only step has failed. */
  private Claimed halted(UUID process) {
    Claimed task = db().startAndClaim(process);
    db().settle(process, failed(task));
    assertThat(db().store().runs().finishStopping(task.run())).isTrue();
    return task;
  }

  private static Resume startAgain(UUID run) {
    return new Resume(run, List.of(new ResumedStep("a", 1, 0)), List.of());
  }

  private static Revival revival(int times) {
    return new Revival(times, OptionalInt.empty(), BY_EVE);
  }

  private boolean revive(UUID run) {
    return quarantines().revive(startAgain(run), revival(quarantines().revived(run)));
  }

  @Test
  default void aRevivedStepStartsAgainWithAFreshBudget() {
    UUID process = db().join();
    Claimed before = halted(process);
    assertThat(revive(before.run())).isTrue();
    RunInfo info = info(before.run());
    assertThat(info.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(info.haltReason()).isEmpty();
    assertThat(info.finishedAt()).isEmpty();
    Claimed task = db().claim(process);
    assertThat(task.attempt()).isEqualTo(1);
    assertThat(task.crashes()).isZero();
    assertThat(task.token()).isGreaterThan(before.token());
    assertThat(db().query("select actor, action, node, reason from standpipe.audit"))
        .containsExactly("eve|revive|null|the press is mended");
    assertThat(db().fate(process, Success.of(before).endsRun().settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(info(before.run()).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  default void aStaleReviveIsRefused() {
    UUID process = db().join();
    UUID run = halted(process).run();
    assertThat(revive(run)).isTrue();
    var running = db().dump();
    assertThat(quarantines().revive(startAgain(run), revival(0))).isFalse();
    assertThat(revive(run)).isFalse();
    assertThat(db().dump()).isEqualTo(running);
    db().settle(process, failed(db().claim(process)));
    db().store().runs().finishStopping(run);
    var again = db().dump();
    assertThat(quarantines().revive(startAgain(run), revival(0))).isFalse();
    assertThat(db().dump()).isEqualTo(again);
    assertThat(revive(run)).isTrue();
  }

  @Test
  default void aRetryLimitHoldsUntilTheNextRevive() {
    UUID process = db().join();
    UUID run = halted(process).run();
    assertThat(quarantines().revive(startAgain(run), new Revival(0, OptionalInt.of(7), BY_EVE)))
        .isTrue();
    assertThat(db().store().runQueries().retryLimit(run, "a")).hasValue(7);
    assertThat(db().store().runQueries().retryLimit(run, "b")).isEmpty();
    assertThat(db().store().runQueries().retryLimit(UUID.randomUUID(), "a")).isEmpty();
    Claimed task = db().claim(process);
    assertThat(task.token()).isGreaterThan(Quarantines.REVIVED);
    db().settle(process, failed(task));
    db().store().runs().finishStopping(run);
    assertThat(revive(run)).isTrue();
    assertThat(db().store().runQueries().retryLimit(run, "a")).isEmpty();
  }

  @Test
  default void aReviveNeverReusesAToken() {
    UUID process = db().join();
    UUID run = halted(process).run();
    long newest = 0;
    for (int i = 0; i < 3; i++) {
      assertThat(revive(run)).isTrue();
      for (int j = 0; j < 3; j++) {
        Claimed task = db().claim(process);
        assertThat(task.token()).isGreaterThan(newest);
        newest = task.token();
        db().settle(process, released(task));
      }
      db().store().runs().cancel(run, HOUR, BY_EVE);
      assertThat(db().store().runs().finishStopping(run)).isTrue();
    }
  }

  @Test
  default void aBodyCutOffBeforeAReviveCannotSettle() {
    UUID process = db().join();
    Claimed before = db().startAndClaim(process);
    db().store().runs().cancel(before.run(), 0, BY_EVE);
    db().store().runs().finishStopping(before.run());
    assertThat(revive(before.run())).isTrue();
    Claimed task = db().claim(process);
    assertThat(db().fate(process, Success.of(before).endsRun().settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(SettlementFate.COMMITTED);
  }

  @Test
  default void aRevivedRunWithNothingLeftSucceeds() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    UUID run = task.run();
    db().store().runs().cancel(run, HOUR, BY_EVE);
    assertThat(db().fate(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    Resume nothing = new Resume(run, List.of(), List.of());
    assertThat(quarantines().revive(nothing, revival(0))).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(info(run).cancellation()).isEmpty();
  }

  @Test
  default void racingOperatorsReviveARunOnce() {
    UUID process = db().join();
    List<UUID> runs = Stream.generate(() -> halted(process).run()).limit(40).toList();
    List<Long> revived =
        Racers.race(
            3,
            number -> {
              Quarantines mine = db().another().quarantines();
              long count = 0;
              for (UUID run : runs) {
                if (mine.revive(startAgain(run), revival(mine.revived(run)))) {
                  count++;
                }
              }
              return count;
            });
    assertThat(revived.stream().mapToLong(n -> n).sum()).isEqualTo(runs.size());
    assertThat(db().query("select count(*) from standpipe.task")).containsExactly("40");
  }
}

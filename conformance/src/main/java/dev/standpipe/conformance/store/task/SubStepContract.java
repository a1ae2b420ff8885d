package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static dev.standpipe.conformance.fixture.StoreFixture.snoozed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.StepInfo;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.internal.substep.StoredSubSteps.Checkpoint;
import dev.standpipe.internal.substep.StoredSubSteps.Memo;
import dev.standpipe.internal.substep.StoredSubSteps.Report;
import dev.standpipe.internal.substep.StoredSubSteps.StoredMemo;
import dev.standpipe.internal.substep.StoredSubSteps.SubStep;
import dev.standpipe.internal.substep.StoredSubSteps.TryWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What tries write before they end, at a store. */
public interface SubStepContract extends StorePart {
  private static TryWrite write(Claimed task, Memo memo) {
    return new TryWrite(task.ref(), task.node(), task.index(), memo);
  }

  private static TryWrite call(Claimed task, String key, String value) {
    return write(task, new SubStep(key, value));
  }

  private static ResultKey step(Claimed task) {
    return new ResultKey(task.run(), task.node(), task.index());
  }

  private List<Boolean> writes(UUID process, TryWrite... all) {
    return db().store().subSteps().write(process, List.of(all));
  }

  private Map<String, String> stored(Claimed task) {
    Map<String, String> values = new HashMap<>();
    db().store()
        .subSteps()
        .subSteps(step(task))
        .forEach((key, memo) -> values.put(key, memo.value()));
    return values;
  }

  private Optional<String> checkpoint(Claimed task) {
    return db().store().subSteps().checkpoint(step(task)).map(StoredMemo::value);
  }

  private static Settlement done(Claimed task) {
    Settlement settled = Success.of(task).endsRun().settlement();
    return new Settlement(
        settled.ref(),
        settled.node(),
        settled.index(),
        settled.lane(),
        settled.priority(),
        settled.attempt(),
        settled.elapsedMicros(),
        settled.verdict(),
        List.of(new Settlement.CheckpointDone()));
  }

  @Test
  default void aTryWritesWhileItGoesOn() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(stored(task)).isEmpty();
    assertThat(writes(process, call(task, "a", "1"), call(task, "b", "2")))
        .containsExactly(true, true);
    assertThat(stored(task)).containsOnly(Map.entry("a", "1"), Map.entry("b", "2"));
    assertThat(db().store().runQueries().subSteps(task.run(), "a", 0))
        .extracting(s -> s.key() + s.token())
        .containsExactlyInAnyOrder("a" + task.token(), "b" + task.token());
    assertThat(db().store().runQueries().steps(task.run()))
        .extracting(StepInfo::subSteps)
        .containsExactly(2);
    assertThat(db().fate(process, done(task))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(stored(task)).as("goes with its run, not with its step").hasSize(2);
  }

  @Test
  default void nobodyElseWritesForATry() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    TaskRef newer = new TaskRef(task.run(), task.id(), task.token() + 1);
    TaskRef older = new TaskRef(task.run(), task.id(), task.token() - 1);
    var before = db().dump();
    for (Memo memo : List.of(new SubStep("a", "1"), new Checkpoint("1"))) {
      assertThat(writes(db().join(), write(task, memo))).containsExactly(false);
      assertThat(writes(process, new TryWrite(newer, "a", 0, memo))).containsExactly(false);
      assertThat(writes(process, new TryWrite(older, "a", 0, memo))).containsExactly(false);
    }
    before.remove("process");
    before.remove("serving");
    var after = db().dump();
    after.keySet().retainAll(before.keySet());
    assertThat(after).isEqualTo(before);
  }

  @Test
  default void aTryThatHasEndedWritesNothing() {
    UUID process = db().join();
    for (int i = 0; i < 4; i++) {
      Claimed task = db().startAndClaim(process);
      Settlement end =
          switch (i) {
            case 0 -> retried(task, Duration.ofHours(1));
            case 1 -> snoozed(task, Duration.ofHours(1));
            case 2 -> done(task);
            default -> StoreFixture.failed(task);
          };
      db().settle(process, end);
      assertThat(writes(process, call(task, "late", "1"), write(task, new Checkpoint("1"))))
          .containsExactly(false, false);
      assertThat(stored(task)).isEmpty();
      assertThat(checkpoint(task)).isEmpty();
    }
  }

  @Test
  default void theNextTryGetsWhatTheLastOneWrote() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    writes(process, call(first, "a", "1"), write(first, new Checkpoint("half")));
    db().settle(process, released(first));
    UUID other = db().join();
    Claimed second = db().claim(other);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(stored(second)).containsOnly(Map.entry("a", "1"));
    assertThat(checkpoint(second)).contains("half");
    assertThat(writes(process, call(first, "b", "2"), write(first, new Checkpoint("old"))))
        .as("by the one before")
        .containsExactly(false, false);
    assertThat(writes(other, call(second, "b", "3"))).containsExactly(true);
    assertThat(stored(second)).containsOnly(Map.entry("a", "1"), Map.entry("b", "3"));
    assertThat(checkpoint(second)).contains("half");
  }

  @Test
  default void aWriteThatIsSentAgainCountsAsWritten() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(writes(process, call(task, "a", "1"))).containsExactly(true);
    assertThat(writes(process, call(task, "a", "1"), call(task, "b", "2")))
        .containsExactly(true, true);
    assertThat(writes(process, call(task, "a", "other"))).containsExactly(false);
    assertThat(stored(task)).containsOnly(Map.entry("a", "1"), Map.entry("b", "2"));
  }

  @Test
  default void whatAnEarlierTryHasStoredIsNotReplaced() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    writes(process, call(first, "a", "1"));
    db().settle(process, released(first));
    Claimed second = db().claim(process);
    assertThat(writes(process, call(second, "a", "1"))).containsExactly(false);
    assertThat(db().store().runQueries().subSteps(first.run(), "a", 0))
        .extracting(s -> s.token())
        .containsExactly(first.token());
  }

  @Test
  default void aStepHasOneCheckpointUntilItSucceeds() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(checkpoint(task)).isEmpty();
    for (String at : List.of("1", "2")) {
      assertThat(writes(process, write(task, new Checkpoint(at)))).containsExactly(true);
      assertThat(checkpoint(task)).contains(at);
    }
    assertThat(
            writes(
                process,
                write(task, new Checkpoint("3")),
                call(task, "a", "x"),
                write(task, new Checkpoint("4"))))
        .containsExactly(true, true, true);
    assertThat(db().query("select value from standpipe.checkpoint")).containsExactly("4");
    db().settle(process, retried(task, Duration.ZERO));
    Claimed again = db().claim(process);
    assertThat(checkpoint(again)).contains("4");
    assertThat(db().fate(process, done(again))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().query("select value from standpipe.checkpoint")).isEmpty();
  }

  @Test
  default void writesOfManyTriesAreJudgedOneByOne() {
    UUID process = db().join();
    UUID other = db().join();
    db().start(6);
    List<Claimed> mine = db().claim(process, 3);
    List<Claimed> theirs = db().claim(other, 3);
    List<Claimed> all = Stream.concat(mine.stream(), theirs.stream()).toList();
    List<TryWrite> writes = new ArrayList<>();
    all.forEach(task -> writes.add(call(task, "key", "\"" + task.run() + "\"")));
    all.forEach(task -> writes.add(write(task, new Checkpoint("1"))));
    assertThat(db().store().subSteps().write(process, writes))
        .containsExactly(
            true, true, true, false, false, false, true, true, true, false, false, false);
    mine.forEach(task -> assertThat(stored(task)).containsEntry("key", "\"" + task.run() + "\""));
    theirs.forEach(task -> assertThat(stored(task)).isEmpty());
  }

  /** On databases where they do. */
  @Test
  default void runsThatShareARowWriteToo() {
    UUID process = db().join();
    db().start(300);
    List<Claimed> tasks = db().claim(process, 120);
    Claimed one = tasks.get(7);
    Claimed another = tasks.get(50);
    assertThat(writes(process, call(one, "a", "1"), write(another, new Checkpoint("2"))))
        .containsExactly(true, true);
    db().store().subSteps().report(process, List.of(new Report(one.ref(), "a", 0, 1, 2, "")));
    for (Claimed task : tasks) {
      assertThat(db().fate(process, done(task))).isEqualTo(SettlementFate.COMMITTED);
    }
    assertThat(stored(one)).containsOnly(Map.entry("a", "1"));
    assertThat(db().query("select count(*) from standpipe.progress")).containsExactly("1");
  }

  /** What was called is kept though the run was stopped: it may be brought back. */
  @Test
  default void aRunThatHaltsTakesWritesOfTheTriesItStillHas() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().store().runs().cancel(task.run(), 3_600_000_000L, new Audited("ann", "no more"));
    assertThat(writes(process, call(task, "a", "1"))).containsExactly(true);
    assertThat(stored(task)).containsOnly(Map.entry("a", "1"));
  }

  @Test
  default void theLastReportOfAStepIsShown() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    for (long done = 0; done < 3; done++) {
      db().store()
          .subSteps()
          .report(process, List.of(new Report(task.ref(), "a", 0, done, 7, "page " + done)));
    }
    TaskRef older = new TaskRef(task.run(), task.id(), task.token() - 1);
    db().store().subSteps().report(process, List.of(new Report(older, "a", 0, 5, 7, "old")));
    db().store()
        .subSteps()
        .report(UUID.randomUUID(), List.of(new Report(task.ref(), "a", 0, 6, 7, "gone")));
    assertThat(db().store().runQueries().steps(task.run()))
        .extracting(s -> s.progress().orElseThrow())
        .allSatisfy(
            progress -> {
              assertThat(progress.done()).isEqualTo(2);
              assertThat(progress.total()).isEqualTo(7);
              assertThat(progress.note()).isEqualTo("page 2");
            });
  }

  /**
   * A try that has taken the task over sees all that was accepted of the one before. Whoever is
   * slow at either end, no write falls between the two.
   */
  @Test
  default void ofAWriteAndATakeOverTheSecondSeesTheFirst() {
    UUID process = db().join();
    UUID other = db().join();
    int written = 0;
    Store zombie = db().another();
    for (int round = 0; round < 100; round++) {
      Claimed first = db().startAndClaim(process);
      List<Boolean> seen =
          Racers.race(
              2,
              number -> {
                if (number == 0) {
                  return zombie.subSteps().write(process, List.of(call(first, "a", "1"))).get(0);
                }
                db().settle(process, released(first));
                Claimed second = db().claim(other);
                boolean there = stored(second).containsKey("a");
                db().settle(other, done(second));
                return there;
              });
      assertThat(seen.get(1)).as("what the next try sees").isEqualTo(seen.get(0));
      written += seen.get(0) ? 1 : 0;
    }
    System.out.println("written before the task was taken over: " + written + " of 100");
  }
}

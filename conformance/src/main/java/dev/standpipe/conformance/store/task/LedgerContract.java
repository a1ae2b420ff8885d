package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Element;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is recorded, and read back. */
public interface LedgerContract extends StorePart {
  @Test
  default void theLedgerRecordsCommittedOutcomesUnderTheirToken() {
    UUID process = db().join();
    db().start(4);
    List<Claimed> tasks = db().claim(process, 4);
    List<Settlement> batch =
        List.of(
            Success.of(tasks.get(0)).next("b", true).settlement(),
            retried(tasks.get(1), Duration.ofHours(1)),
            Success.expand(tasks.get(2), 3).settlement(),
            failed(tasks.get(3)));
    assertThat(db().store().tasks().recorded(batch)).containsExactly(false, false, false, false);
    db().store().tasks().settle(process, batch);
    assertThat(db().store().tasks().recorded(batch)).containsExactly(true, true, true, true);
  }

  /** Or an outcome whose reply was lost would count as written once its process is reaped. */
  @Test
  default void aRecordedCrashIsNotTheOutcome() {
    UUID process = db().join(Duration.ofSeconds(-1));
    Settlement late = Success.of(db().startAndClaim(process)).endsRun().settlement();
    assertThat(db().reap()).isPresent();
    assertThat(db().store().tasks().recorded(List.of(late))).containsExactly(false);
    assertThat(db().fate(process, late)).isEqualTo(SettlementFate.STALE);
  }

  @Test
  default void staleSettlementsAreNotRecorded() {
    UUID process = db().join();
    Claimed old = db().startAndClaim(process);
    db().settle(process, released(old));
    Claimed task = db().claim(process);
    Settlement stale = Success.of(old).next("b", true).settlement();
    db().settle(process, stale);
    assertThat(db().store().tasks().recorded(List.of(stale))).containsExactly(false);
    Settlement good = Success.of(task).next("b", true).settlement();
    db().settle(process, good);
    assertThat(db().store().tasks().recorded(List.of(stale, good))).containsExactly(false, true);
    assertThat(db().store().tasks().recorded(List.of())).isEmpty();
  }

  @Test
  default void aFailureIsRecordedUnderItsOwnToken() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    Settlement failure = retried(first, Duration.ZERO);
    db().settle(process, failure);
    Settlement second = retried(db().claim(process), Duration.ZERO);
    assertThat(db().store().tasks().recorded(List.of(failure, second)))
        .containsExactly(true, false);
  }

  @Test
  default void aDrainedOutcomeIsRecorded() {
    UUID process = db().join();
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2));
    db().store().runs().start(db().definition(), List.of(newRun()), entries);
    List<Claimed> tasks = db().claim(process, 2);
    db().settle(process, failed(tasks.get(0)));
    Settlement drained = Success.of(tasks.get(1)).settlement();
    db().settle(process, drained);
    assertThat(db().store().tasks().recorded(List.of(drained))).containsExactly(true);
  }

  @Test
  default void valuesComeInTheOrderRequested() {
    UUID process = db().join();
    db().start(3);
    List<Claimed> tasks = db().claim(process, 3);
    tasks.forEach(
        task ->
            db().settle(
                    process, Success.of(task, "\"" + task.run() + "\"").endsRun().settlement()));
    List<ResultKey> keys = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i : new int[] {2, 0, 1, 2}) {
      keys.add(new ResultKey(tasks.get(i).run(), "a", 0));
      expected.add("\"" + tasks.get(i).run() + "\"");
      keys.add(new ResultKey(tasks.get(i).run(), "missing", 0));
      expected.add(null);
    }
    assertThat(db().store().tasks().values(keys)).isEqualTo(expected);
    assertThat(db().store().tasks().values(List.of())).isEmpty();
  }

  @Test
  default void aFailedStepHasNoValue() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, failed(task));
    assertThat(db().store().tasks().values(List.of(new ResultKey(task.run(), "a", 0))))
        .containsExactly((String) null);
    assertThat(db().elements(task.run(), "a"))
        .as("none, in its place")
        .containsExactly((String) null);
  }

  @Test
  default void manyElementsComeInOrder() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.expand(task, 1_200).settlement());
    assertThat(db().elements(task.run(), "a"))
        .isEqualTo(IntStream.range(0, 1_200).mapToObj(i -> Success.valueOf("a", i)).toList());
  }

  @Test
  default void elementsArePagedFromAnyIndex() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.expand(task, 10).settlement());
    assertThat(db().store().tasks().elements(task.run(), "a", 3, 7, 100))
        .extracting(Element::index)
        .containsExactly(3, 4, 5, 6, 7);
    assertThat(db().store().tasks().elements(task.run(), "a", 3, 7, 2))
        .containsExactly(
            new Element(3, Success.valueOf("a", 3)), new Element(4, Success.valueOf("a", 4)));
    assertThat(db().store().tasks().elements(task.run(), "a", 10, Integer.MAX_VALUE, 2)).isEmpty();
  }

  @Test
  default void awkwardTextSurvivesStorage() {
    String controls =
        IntStream.range(1, 32)
            .mapToObj(c -> String.valueOf((char) c))
            .collect(Collectors.joining());
    List<String> texts =
        List.of(
            "",
            "\"quoted\" \\ back / slash",
            "\\u0000 is not a zero",
            controls,
            "\u007f\u0080\u2028\u2029\ufeff\uffff",
            "crème brûlée, 日本語, 👩‍👩‍👧 and 𝄞",
            "{\"a\":[1,2.50,1e400,\"x\"]}",
            "9223372036854775807",
            "x".repeat(2_000_000));
    UUID process = db().join();
    for (String text : texts) {
      Claimed task = db().startAndClaim(process);
      db().settle(process, Success.of(task, text).endsRun().settlement());
      assertThat(db().store().runQueries().value(task.run(), "a", 0)).contains(text);
    }
  }

  @Test
  default void longNumbersSurviveStorage() {
    UUID process = db().join();
    long big = Long.MAX_VALUE - 1;
    UUID run =
        db().store()
            .runs()
            .start(db().definition(), List.of(newRun()), List.of(new Entry("a", big)))
            .get(0);
    Claimed task = db().claim(process);
    assertThat(task.id()).isEqualTo(big);
    db().settle(process, Success.of(task).next("b", true).settlement());
    assertThat(db().store().tasks().held(process).get(0).id()).isEqualTo(big);
    assertThat(db().store().runQueries().value(run, "a", 0)).isPresent();
  }

  @Test
  default void attemptsAreListedOldestFirst() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    for (int i = 0; i < 3; i++) {
      db().settle(process, retried(task, Duration.ZERO));
      task = db().claim(process);
    }
    db().settle(process, Success.of(task).endsRun().settlement());
    assertThat(db().store().runQueries().attempts(task.run()))
        .extracting(attempt -> attempt.attempt() + " " + attempt.outcome())
        .containsExactly(
            "1 " + AttemptOutcome.FAILED,
            "2 " + AttemptOutcome.FAILED,
            "3 " + AttemptOutcome.FAILED,
            "4 " + AttemptOutcome.SUCCEEDED);
  }
}

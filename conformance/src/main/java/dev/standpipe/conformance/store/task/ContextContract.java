package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.store.run.FinishContract;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the steps of a run share by name, at a store. */
public interface ContextContract extends StorePart {
  private static Settlement setting(Settlement settled, String key, String value, boolean replace) {
    return new Settlement(
        settled.ref(),
        settled.node(),
        settled.index(),
        settled.lane(),
        settled.priority(),
        settled.attempt(),
        settled.elapsedMicros(),
        settled.verdict(),
        List.of(new Settlement.ContextEntry(key, value, replace)));
  }

  private static Settlement once(Claimed task, String value) {
    return setting(Success.of(task).settlement(), "key", value, false);
  }

  private static Settlement replacing(Claimed task, String value) {
    return setting(Success.of(task).settlement(), "key", value, true);
  }

  private List<Claimed> siblings(UUID process, int runs) {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2));
    db().store()
        .runs()
        .start(
            db().definition(), IntStream.range(0, runs).mapToObj(i -> newRun()).toList(), entries);
    return db().claim(process, 2 * runs).stream()
        .sorted(Comparator.comparing(Claimed::run).thenComparing(Claimed::node))
        .toList();
  }

  private void refuses(UUID process, Settlement... settlements) {
    var before = db().dump();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> db().settle(process, settlements))
        .satisfies(e -> assertThat(e.failure()).isEqualTo(StoreFailure.DATA));
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aCommitSetsTheContextOfItsRunOnly() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 2);
    UUID run = tasks.get(0).run();
    assertThat(db().store().tasks().context(run, "key")).isEmpty();
    assertThat(db().fate(process, once(tasks.get(0), "1"))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().tasks().context(run, "key")).contains("1");
    assertThat(db().store().tasks().context(run, "other")).isEmpty();
    assertThat(db().store().tasks().context(tasks.get(2).run(), "key")).isEmpty();
    assertThat(db().query("select node, idx, token, value from standpipe.context"))
        .containsExactly("a|0|1|1");
  }

  @Test
  default void aContextKeyIsSetOnceUnlessReplaced() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 3);
    db().settle(process, once(tasks.get(0), "1"), once(tasks.get(2), "1"), once(tasks.get(4), "1"));
    refuses(process, once(tasks.get(1), "2"));
    assertThat(db().fate(process, once(tasks.get(3), "1"))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().fate(process, replacing(tasks.get(5), "2")))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().tasks().context(tasks.get(0).run(), "key")).contains("1");
    assertThat(db().store().tasks().context(tasks.get(2).run(), "key")).contains("1");
    assertThat(db().store().tasks().context(tasks.get(4).run(), "key")).contains("2");
  }

  @Test
  default void staleAndFailedStepsSetNoContext() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 1);
    assertThat(db().fate(db().join(), once(tasks.get(0), "1"))).isEqualTo(SettlementFate.STALE);
    db().settle(process, setting(failed(tasks.get(0)), "key", "1", false));
    assertThat(db().query("select * from standpipe.context")).isEmpty();
  }

  @Test
  default void aDrainedStepSetsItsContext() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 1);
    db().settle(process, failed(tasks.get(0)));
    assertThat(db().fate(process, once(tasks.get(1), "1"))).isEqualTo(SettlementFate.DRAINED);
    assertThat(db().store().tasks().context(tasks.get(0).run(), "key")).contains("1");
  }

  @Test
  default void aBatchSetsAContextKeyInOrder() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 3);
    db().settle(process, once(tasks.get(0), "1"), once(tasks.get(1), "1"));
    assertThat(db().store().tasks().context(tasks.get(0).run(), "key")).contains("1");
    db().settle(process, replacing(tasks.get(2), "1"), replacing(tasks.get(3), "2"));
    assertThat(db().store().tasks().context(tasks.get(2).run(), "key")).contains("2");
    refuses(process, once(tasks.get(4), "1"), once(tasks.get(5), "2"));
  }

  @Test
  default void racingStepsSetAContextKeyOnce() {
    int trials = FinishContract.TRIALS;
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, trials);
    List<Integer> refused =
        Racers.race(
            2,
            number -> {
              var store = db().another();
              int mine = 0;
              for (int i = 0; i < tasks.size(); i += 2) {
                try {
                  String value = number == 0 ? "0" : "1";
                  store.tasks().settle(process, List.of(once(tasks.get(i + number), value)));
                } catch (StoreException e) {
                  assertThat(e.failure()).isEqualTo(StoreFailure.DATA);
                  mine++;
                }
              }
              return mine;
            });
    assertThat(refused.get(0) + refused.get(1)).isEqualTo(trials);
    assertThat(db().query("select count(*) from standpipe.context"))
        .containsExactly(Integer.toString(trials));
    assertThat(
            db().query(
                    "select count(*) from standpipe.context c join standpipe.result r"
                        + " on r.run_id = c.run_id and r.node = c.node where r.outcome = 1"))
        .containsExactly(Integer.toString(trials));
  }
}

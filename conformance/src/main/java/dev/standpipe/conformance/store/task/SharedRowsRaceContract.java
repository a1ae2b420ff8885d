package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.store.run.CancelContract.BY_ANN;
import static dev.standpipe.conformance.store.run.CancelContract.HOUR;
import static dev.standpipe.conformance.store.run.PauseContract.BY_PAT;
import static dev.standpipe.conformance.store.task.SharedRowsContract.ending;
import static dev.standpipe.conformance.store.task.SharedRowsContract.ids;
import static dev.standpipe.conformance.store.task.SharedRowsContract.numbered;
import static dev.standpipe.conformance.store.task.SharedRowsContract.runsOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that were started together, and several who want different things of them at once. */
public interface SharedRowsRaceContract extends StorePart {
  int RUNS = 400;
  int ROUNDS = 5;

  /** As many as are not too few to share rows. */
  int FEW = 110;

  int STARTS = 4;
  int TRIALS = 50;

  /** Every tenth. */
  private static <T> List<T> tenth(List<T> all) {
    return IntStream.range(0, all.size() / 10).mapToObj(i -> all.get(10 * i + 3)).toList();
  }

  private RunStatus status(UUID run) {
    return db().store().runQueries().find(run).orElseThrow().status();
  }

  /** Settles a few at a time, taken from everywhere; what became of each run's task. */
  private static Map<UUID, SettlementFate> settle(Store store, UUID owner, List<Claimed> claimed) {
    Map<UUID, SettlementFate> fates = new HashMap<>();
    List<Claimed> tasks = new ArrayList<>(claimed);
    Collections.shuffle(tasks);
    for (int from = 0; from < tasks.size(); from += 20) {
      List<Claimed> batch = tasks.subList(from, Math.min(from + 20, tasks.size()));
      List<SettlementFate> told = store.tasks().settle(owner, ending(batch)).fates();
      for (int i = 0; i < batch.size(); i++) {
        fates.put(batch.get(i).run(), told.get(i));
      }
    }
    return fates;
  }

  /** Cancels runs; says what each was told to be then. */
  private static Map<UUID, RunStatus> cancel(Store store, List<UUID> runs, long grace) {
    Map<UUID, RunStatus> said = new HashMap<>();
    for (UUID run : runs) {
      said.put(run, store.runs().cancel(run, grace, BY_ANN).orElseThrow());
      store.runs().finishStopping(run);
    }
    return said;
  }

  @Test
  default void racingSettlersAndACancelAgree() {
    for (int round = 0; round < ROUNDS; round++) {
      List<UUID> runs = db().start(RUNS);
      UUID process = db().join();
      List<Claimed> claimed = db().claim(process, RUNS);
      assertThat(claimed).hasSize(RUNS);
      List<UUID> canceled = tenth(runs);
      Map<UUID, RunStatus> said = new ConcurrentHashMap<>();
      Map<UUID, SettlementFate> fates = new ConcurrentHashMap<>();
      long grace = round % 2 == 0 ? 0 : HOUR;
      Racers.race(
          3,
          number -> {
            try (Store store = db().another()) {
              if (number == 2) {
                said.putAll(cancel(store, canceled, grace));
              } else {
                int from = number * RUNS / 2;
                fates.putAll(settle(store, process, claimed.subList(from, from + RUNS / 2)));
              }
              return true;
            }
          });
      assertOneOutcome(runs, said, fates);
    }
  }

  private void assertOneOutcome(
      List<UUID> runs, Map<UUID, RunStatus> said, Map<UUID, SettlementFate> fates) {
    for (UUID run : runs) {
      boolean stopped = said.get(run) == RunStatus.CANCELING;
      if (stopped) {
        db().store().runs().finishStopping(run);
      } else {
        assertThat(fates.get(run)).isEqualTo(SettlementFate.COMMITTED);
      }
      assertThat(status(run)).isEqualTo(stopped ? RunStatus.CANCELED : RunStatus.SUCCEEDED);
      assertThat(db().store().runQueries().steps(run)).hasSizeLessThan(2);
    }
    assertThat(db().store().runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
    assertThat(db().store().definitions().inFlight()).isEmpty();
  }

  /** Claims until nothing is left and it is over. */
  private List<Claimed> claim(Store store, UUID owner, AtomicBoolean over) {
    List<Claimed> mine = new ArrayList<>();
    boolean last;
    List<Claimed> claimed;
    do {
      last = over.get();
      claimed = StoreFixture.claim(store, owner, 17, db().lane());
      mine.addAll(claimed);
    } while (!last || !claimed.isEmpty());
    return mine;
  }

  @Test
  default void racingClaimersAndACancelAgree() {
    for (int round = 0; round < ROUNDS; round++) {
      List<UUID> runs = db().start(RUNS);
      UUID process = db().join();
      List<UUID> canceled = tenth(runs);
      AtomicBoolean over = new AtomicBoolean();
      List<Claimed> claimed = new ArrayList<>();
      Racers.race(
              3,
              number -> {
                try (Store store = db().another()) {
                  if (number < 2) {
                    return claim(store, process, over);
                  }
                  cancel(store, canceled, 0);
                  return List.<Claimed>of();
                } finally {
                  over.compareAndSet(false, number == 2);
                }
              })
          .forEach(claimed::addAll);
      claimed.addAll(db().claimAll(process, 100));
      assertThat(claimed).extracting(Claimed::run).doesNotHaveDuplicates();
      canceled.forEach(run -> assertThat(status(run)).isEqualTo(RunStatus.CANCELED));
      Map<UUID, SettlementFate> fates = settle(db().store(), process, claimed);
      for (UUID run : runs) {
        SettlementFate expected =
            canceled.contains(run) ? SettlementFate.STALE : SettlementFate.COMMITTED;
        assertThat(fates.getOrDefault(run, SettlementFate.STALE))
            .as("of what was claimed")
            .isEqualTo(expected);
      }
      assertThat(db().store().definitions().inFlight()).isEmpty();
    }
  }

  @Test
  default void racingClaimersAndAPauseLoseNoRun() {
    for (int round = 0; round < ROUNDS; round++) {
      List<UUID> runs = db().start(RUNS);
      UUID process = db().join();
      AtomicBoolean over = new AtomicBoolean();
      Racers.race(
          3,
          number -> {
            try (Store store = db().another()) {
              return number < 2 ? work(store, process, over) : pauseSome(store, tenth(runs));
            } finally {
              over.compareAndSet(false, number == 2);
            }
          });
      assertThat(work(db().store(), process, over)).isTrue();
      runs.forEach(run -> assertThat(status(run)).isEqualTo(RunStatus.SUCCEEDED));
      assertThat(db().store().definitions().inFlight()).isEmpty();
    }
  }

  /** Ends what it can claim, until nothing is left and it is over. */
  private boolean work(Store store, UUID owner, AtomicBoolean over) {
    boolean last;
    List<Claimed> claimed;
    do {
      last = over.get();
      claimed = StoreFixture.claim(store, owner, 17, db().lane());
      List<Settlement> batch = new ArrayList<>();
      for (Claimed task : claimed) {
        batch.add(task.running() ? Success.of(task).endsRun().settlement() : released(task));
      }
      List<SettlementFate> fates = store.tasks().settle(owner, batch).fates();
      assertThat(fates).isSubsetOf(SettlementFate.COMMITTED, SettlementFate.PARKED);
    } while (!last || !claimed.isEmpty());
    return true;
  }

  private static boolean pauseSome(Store store, List<UUID> runs) {
    for (UUID run : runs) {
      if (store.pauses().pause(run, BY_PAT)) {
        store.pauses().resume(run, BY_PAT);
      }
      store.pauses().calm(run);
    }
    return true;
  }

  @Test
  default void aClaimRacingWithACancelHasOneOutcome() {
    UUID process = db().join();
    for (int trial = 0; trial < TRIALS; trial++) {
      UUID run = db().start(FEW).get(trial % FEW);
      db().store().runs().cancel(run, HOUR, BY_ANN);
      AtomicBoolean ended = new AtomicBoolean();
      List<Claimed> claimed =
          claimWhile(process, store -> ended.set(store.runs().finishStopping(run)));
      List<Claimed> held = claimed.stream().filter(task -> task.run().equals(run)).toList();
      assertThat(ended.get()).as("nobody holds it").isEqualTo(held.isEmpty());
      for (Claimed task : held) {
        assertThat(task.running()).isFalse();
        assertThat(status(run)).isEqualTo(RunStatus.CANCELING);
        assertThat(db().fate(process, released(task))).isEqualTo(SettlementFate.DRAINED);
        assertThat(db().store().runs().finishStopping(run)).isTrue();
      }
      assertThat(status(run)).isEqualTo(RunStatus.CANCELED);
      claimed.removeAll(held);
      assertThat(claimed).hasSize(FEW - 1);
      assertThat(settle(db().store(), process, claimed).values())
          .containsOnly(SettlementFate.COMMITTED);
    }
    assertThat(db().store().definitions().inFlight()).isEmpty();
  }

  @Test
  default void aPauseSeesARacingClaim() {
    UUID process = db().join();
    for (int trial = 0; trial < TRIALS; trial++) {
      UUID run = db().start(FEW).get(trial % FEW);
      List<Claimed> claimed = claimWhile(process, store -> store.pauses().pause(run, BY_PAT));
      boolean held = claimed.stream().anyMatch(task -> task.run().equals(run));
      assertThat(db().store().pauses().look().runs().contains(run)).isEqualTo(held);
      Map<UUID, SettlementFate> fates = settle(db().store(), process, claimed);
      assertThat(fates.get(run)).isEqualTo(held ? SettlementFate.PARKED : null);
      db().store().pauses().calm(run);
      assertThat(db().store().pauses().look().runs()).isEmpty();
      db().store().pauses().resume(run, BY_PAT);
      settle(db().store(), process, db().claimAll(process, 10));
      assertThat(status(run)).isEqualTo(RunStatus.SUCCEEDED);
    }
    assertThat(db().store().definitions().inFlight()).isEmpty();
  }

  /** Claims all there is while another does this, and what is left after that. */
  private List<Claimed> claimWhile(UUID process, Consumer<Store> action) {
    List<Claimed> claimed = new ArrayList<>();
    Racers.race(
            2,
            number -> {
              try (Store store = db().another()) {
                if (number == 0) {
                  return StoreFixture.claim(store, process, FEW, db().lane());
                }
                action.accept(store);
                return List.<Claimed>of();
              }
            })
        .forEach(claimed::addAll);
    claimed.addAll(db().claimAll(process, FEW));
    return claimed;
  }

  @Test
  default void reapingSharedRowsWhileSettlingLosesNoTask() {
    for (int round = 0; round < 2 * ROUNDS; round++) {
      UUID process = db().join();
      Map<UUID, SettlementFate> fates =
          settleWhile(process, store -> store.processes().reapNow(process));
      db().reap();
      assertRestIsClaimed(fates);
    }
  }

  @Test
  default void listingLeasesDoesNotDisturbSettlers() {
    for (int round = 0; round < 2 * ROUNDS; round++) {
      UUID process = db().join();
      Map<UUID, SettlementFate> fates = settleWhile(process, store -> store.tasks().held(process));
      assertThat(fates.values()).containsOnly(SettlementFate.COMMITTED);
      assertThat(db().store().tasks().held(process)).isEmpty();
    }
  }

  /** Claims from several starts, and has two settle halves of it while a third does this. */
  private Map<UUID, SettlementFate> settleWhile(UUID process, Consumer<Store> action) {
    for (int i = 0; i < STARTS; i++) {
      db().start(FEW);
    }
    List<Claimed> claimed = new ArrayList<>(db().claimAll(process, 1_000));
    assertThat(claimed).hasSize(STARTS * FEW);
    Collections.shuffle(claimed);
    int half = claimed.size() / 2;
    Map<UUID, SettlementFate> fates = new ConcurrentHashMap<>();
    Racers.race(
        3,
        number -> {
          try (Store store = db().another()) {
            if (number == 2) {
              action.accept(store);
            } else {
              int from = number * half;
              fates.putAll(settle(store, process, claimed.subList(from, from + half)));
            }
            return true;
          }
        });
    return fates;
  }

  private void assertRestIsClaimed(Map<UUID, SettlementFate> fates) {
    List<UUID> lost =
        fates.keySet().stream().filter(run -> fates.get(run) == SettlementFate.STALE).toList();
    UUID heir = db().join();
    List<Claimed> again = db().claimAll(heir, 100);
    assertThat(again)
        .allMatch(task -> task.crashes() == 1 && task.token() == 2)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(lost);
    assertThat(settle(db().store(), heir, again).values()).doesNotContain(SettlementFate.STALE);
    assertThat(db().store().runQueries().ended(fates.keySet())).hasSize(STARTS * FEW);
  }

  @Test
  default void racingClaimersTakeEachRunOnce() {
    List<NewRun> runs = numbered(2_500);
    db().start(runs);
    db().start(numbered(2_500));
    UUID process = db().join();
    List<Claimed> all = new ArrayList<>();
    Racers.race(
            4,
            number -> {
              Store store = db().another();
              List<Claimed> mine = new ArrayList<>();
              List<Claimed> claimed;
              do {
                claimed = StoreFixture.claim(store, process, 137, db().lane());
                mine.addAll(claimed);
              } while (!claimed.isEmpty());
              return mine;
            })
        .forEach(all::addAll);
    all.addAll(db().claimAll(process, 500)); // nothing is seen of what another is just taking
    assertThat(runsOf(all)).doesNotHaveDuplicates().hasSize(5_000).containsAll(ids(runs));
    assertThat(all).allMatch(task -> task.token() == 1 && task.running());
    assertThat(db().store().tasks().held(process)).hasSize(5_000);
  }
}

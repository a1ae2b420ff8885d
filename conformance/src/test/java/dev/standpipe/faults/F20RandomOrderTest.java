package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Succeeded;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.Signals.Given;
import dev.standpipe.internal.port.Signals.SignalAnswer;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * F20: commits, retries, releases, waits, signals, early ends, reaping and cancels in random order
 * from sixteen threads, all of them after the same rows: four steps of a run count down one arrival
 * and end it. A deadlock would be tried again, and there are about none.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class F20RandomOrderTest {
  private static final int THREADS = 16;
  private static final int CRASH_LIMIT = 1_000;
  private static final int RUNS = Soak.count("runs", 400, 20_000);
  private static final List<Entry> ENTRIES =
      List.of(new Entry("a", 1), new Entry("b", 2), new Entry("c", 3), new Entry("d", 4));

  private final long seed = Soak.seed("F20");
  private final Set<UUID> processes = ConcurrentHashMap.newKeySet();
  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final Set<UUID> canceled = ConcurrentHashMap.newKeySet();
  private final Map<SignalAnswer, Integer> signals = new ConcurrentHashMap<>();

  @Test
  void randomOrderLosesAndRepeatsNoStep() {
    try (StoreFixture db = StoreFixture.in(PostgresServer.shared().freshDatabase())) {
      db.store()
          .runs()
          .start(db.definition(), Stream.generate(() -> newRun()).limit(RUNS).toList(), ENTRIES);
      List<Integer> deadlocks =
          Racers.race(THREADS, number -> work(db, db.another(), new Random(seed + number)));
      assertThat(
              db.query(
                  "select distinct status, halt_reason from standpipe.run order by status desc"))
          .containsExactly("succeeded|null", "canceled|canceled");
      assertThat(db.query("select id from standpipe.run where halt_reason = 'canceled'"))
          .as("whoever was told so, and nobody else")
          .containsExactlyInAnyOrderElementsOf(canceled.stream().map(UUID::toString).toList());
      assertThat(db.query("select count(*) from standpipe.task")).containsExactly("0");
      assertThat(db.query("select count(*) from standpipe.canceling")).containsExactly("0");
      int early = Integer.parseInt(db.query("select count(*) from standpipe.finish").get(0));
      assertThat(early).as("some were ended early").isPositive();
      assertThat(committed).hasSizeGreaterThanOrEqualTo(4 * (RUNS - canceled.size() - early));
      int all = deadlocks.stream().mapToInt(n -> n).sum();
      System.out.println("F20: " + all + " deadlocks in " + 4 * RUNS + " steps");
      assertThat(all).as("about none").isLessThanOrEqualTo(RUNS / 100);
      assertThat(db.query("select count(*) from standpipe.attempt where outcome = 'crashed'"))
          .as("reapers took part")
          .doesNotContain("0");
      assertThat(signals)
          .as("signals, and some of them at once")
          .containsKeys(SignalAnswer.NOW, SignalAnswer.BEFORE);
    }
  }

  @Test
  void theReaperHoldsNoLockWhileItWaits() throws Exception {
    try (StoreFixture db = StoreFixture.in(PostgresServer.shared().freshDatabase())) {
      UUID process = db.join();
      List<Claimed> held = startAndClaim(db, process);
      Optional<Reaped> reaped =
          whileSettling(db, held, () -> db.another().processes().reapNow(process));
      assertThat(reaped).map(Reaped::tasks).contains(held.size());
    }
  }

  @Test
  void endingARunHoldsNoLockWhileItWaits() throws Exception {
    try (StoreFixture db = StoreFixture.in(PostgresServer.shared().freshDatabase())) {
      List<Claimed> held = startAndClaim(db, db.join());
      UUID run = held.get(0).run();
      db.store().runs().cancel(run, 0, new Audited("ann", "no need"));
      assertThat(whileSettling(db, held, () -> db.another().runs().finishStopping(run))).isTrue();
      assertThat(db.query("select count(*) from standpipe.task")).containsExactly("0");
    }
  }

  private static List<Claimed> startAndClaim(StoreFixture db, UUID process) {
    db.store().runs().start(db.definition(), List.of(newRun()), ENTRIES);
    return db.claim(process, ENTRIES.size());
  }

  /** Locks the last task first, as a settlement in which only that one stays, and then the rest. */
  private static <T> T whileSettling(StoreFixture db, List<Claimed> held, Supplier<T> other)
      throws Exception {
    try (Connection settling = db.source().getConnection();
        Statement statement = settling.createStatement()) {
      settling.setAutoCommit(false);
      String lock = "select 1 from standpipe_task where id = %d for update";
      statement.execute(lock.formatted(held.get(held.size() - 1).id()));
      CompletableFuture<T> result = CompletableFuture.supplyAsync(other);
      await()
          .until(
              () ->
                  !db.query(
                          "select 1 from pg_stat_activity"
                              + " where datname = current_database() and wait_event_type = 'Lock'")
                      .isEmpty());
      for (Claimed task : held) {
        statement.execute(lock.formatted(task.id()));
      }
      settling.rollback();
      return result.get(1, TimeUnit.MINUTES);
    }
  }

  /** Until nothing is left to do for anybody; returns how many deadlocks it met. */
  private int work(StoreFixture db, Store store, Random random) {
    int deadlocks = 0;
    while (!db.query("select 1 from standpipe.task union all select 1 from standpipe.canceling")
        .isEmpty()) {
      try {
        turn(db, store, random);
      } catch (StoreException e) {
        assertThat(e.failure()).isEqualTo(StoreFailure.TRANSIENT);
        deadlocks++;
      }
    }
    return deadlocks;
  }

  private void turn(StoreFixture db, Store store, Random random) {
    store.tasks().promote(100); // those that have crashed often wait for a while
    UUID process = db.join(Duration.ofSeconds(random.nextInt(4) == 0 ? -1 : 60), CRASH_LIMIT);
    processes.add(process);
    try {
      store.runQueries().halting(3).forEach(store.runs()::finishStopping);
      signal(db, store, random);
      List<Claimed> held = new ArrayList<>(StoreFixture.claim(store, process, 12, db.lane()));
      held.addAll(store.tasks().claimSuspects(process, List.of(db.lane()), 0, 2));
      while (!held.isEmpty()) {
        int size = 1 + random.nextInt(held.size());
        List<Claimed> batch = new ArrayList<>(held.subList(0, size));
        held.subList(0, size).clear();
        disturb(db, store, random);
        cancel(store, batch.get(0).run(), random);
        settle(store, process, batch, random);
      }
    } finally {
      processes.remove(process);
      store.processes().leave(process);
    }
  }

  /** Now and then, reaps those whose lease ran out, or one that is well and at work. */
  private void disturb(StoreFixture db, Store store, Random random) {
    int dice = random.nextInt(10);
    if (dice < 3) {
      db.keepSteady();
      store.processes().reap(UUID.randomUUID());
    } else if (dice == 3) {
      List<UUID> all = new ArrayList<>(processes);
      if (!all.isEmpty()) {
        store.processes().reapNow(all.get(random.nextInt(all.size())));
      }
    }
  }

  /** Signals some of those that wait, whoever else does so too. */
  private void signal(StoreFixture db, Store store, Random random) {
    for (String await :
        db.query(
            "select s.run_id, s.node from standpipe.signal s join standpipe.run r on r.id = s.run_id"
                + " where s.value is null and r.status = 'running' limit 20")) {
      if (random.nextInt(3) > 0) {
        String[] names = await.split("\\|", -1);
        StepId step = new StepId(UUID.fromString(names[0]), names[1], 0);
        SignalAnswer taken = store.signals().give(new Given(step, "1", "x"), Optional.empty());
        signals.merge(taken, 1, Integer::sum);
      }
    }
  }

  /** Now and then, cancels a run that this thread and others are at; and goes on with all. */
  private void cancel(Store store, UUID run, Random random) {
    if (random.nextInt(10) == 0) {
      Audited audited = new Audited("ann", "chance");
      long graceMicros = random.nextInt(2) * 5_000L;
      RunStatus status = store.runs().cancel(run, graceMicros, audited).orElseThrow();
      if (status == RunStatus.CANCELING || status == RunStatus.CANCELED) {
        canceled.add(run);
      }
    }
    if (random.nextInt(4) == 0) {
      store.runQueries().halting(3).forEach(store.runs()::finishStopping);
    }
  }

  private void settle(Store store, UUID process, List<Claimed> batch, Random random) {
    batch.sort(Comparator.comparing(Claimed::run).thenComparing(Claimed::id)); // the lock order
    List<Settlement> settlements = batch.stream().map(task -> settlement(task, random)).toList();
    List<SettlementFate> fates = store.tasks().settle(process, settlements).fates();
    for (int i = 0; i < fates.size(); i++) {
      Settlement settlement = settlements.get(i);
      if (fates.get(i) == SettlementFate.COMMITTED && settlement.verdict() instanceof Succeeded) {
        assertThat(committed.add(settlement.run() + settlement.node()))
            .as("committed once: %s", settlement)
            .isTrue();
      }
    }
  }

  private static Settlement settlement(Claimed task, Random random) {
    int dice = random.nextInt(10);
    if (dice == 0) {
      return StoreFixture.released(task);
    } else if (dice == 1 && task.attempt() < 5) {
      return StoreFixture.retried(task, Duration.ZERO);
    } else if (dice == 3) {
      return StoreFixture.settlement(task, new Settlement.Waiting(3_600_000_000L));
    }
    if (dice == 2 && random.nextInt(4) == 0) {
      return StoreFixture.finished(task, "1", random.nextInt(2) * 5_000L);
    }
    Value value = new Value(task.node(), task.index(), "1", false);
    Bump end = new Bump(Bump.END, ENTRIES.size(), -1, 0, false);
    return StoreFixture.settlement(
        task, new Succeeded(List.of(value), null, List.of(), List.of(end), false));
  }
}

package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Succeeded;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * F21: the last two parents of a step commit at the same moment; the step is created once, never
 * twice and never not at all.
 */
class F21LastTwoParentsTest {
  private static final int TRIALS = 10_000;
  private static final int BATCH = 20;
  private static final List<Entry> PARENTS = List.of(new Entry("p0", 1), new Entry("p1", 2));

  @Test
  void theChildIsCreatedExactlyOnce() {
    long seed = System.nanoTime();
    System.out.println("F21: seed " + seed);
    try (StoreFixture db = StoreFixture.in(PostgresServer.shared().freshDatabase())) {
      UUID process = db.join();
      List<UUID> runs = new ArrayList<>();
      for (int i = 0; i < TRIALS; i += 1_000) {
        List<NewRun> some =
            Stream.generate(() -> StoreFixture.newRun(null, 0, 0, process)).limit(1_000).toList();
        runs.addAll(db.store().runs().start(db.definition(), some, PARENTS));
      }
      CyclicBarrier round = new CyclicBarrier(2);
      List<UUID> opened = new ArrayList<>();
      Racers.race(
              2,
              parent -> {
                Random random = new Random(seed + parent);
                return settleAll(db.another(), process, runs, parent, round, random, db.lane());
              })
          .forEach(opened::addAll);

      assertThat(opened).hasSize(TRIALS).doesNotHaveDuplicates();
      assertThat(
              db.query(
                  "select count(*), count(distinct run_id), min(node), max(node), min(id) from standpipe.task"))
          .containsExactly(TRIALS + "|" + TRIALS + "|child|child|3");
      assertThat(db.query("select distinct remaining from standpipe.arrival")).containsExactly("0");
    }
  }

  /** Settles one parent of every run, a few runs at a time, in step with the other parent. */
  private static List<UUID> settleAll(
      Store store,
      UUID process,
      List<UUID> runs,
      int parent,
      CyclicBarrier round,
      Random random,
      int lane)
      throws Exception {
    List<UUID> opened = new ArrayList<>();
    for (int i = 0; i < runs.size(); i += BATCH) {
      List<UUID> some = new ArrayList<>(runs.subList(i, i + BATCH));
      Collections.shuffle(some, random);
      List<Settlement> batch = some.stream().map(run -> arrival(run, parent, lane)).toList();
      round.await(60, TimeUnit.SECONDS);
      Reply reply = store.tasks().settle(process, batch);
      assertThat(reply.fates()).containsOnly(SettlementFate.COMMITTED);
      reply.opened().forEach(o -> opened.add(batch.get(o.settlement()).run()));
    }
    return opened;
  }

  private static Settlement arrival(UUID run, int parent, int lane) {
    String node = "p" + parent;
    Succeeded verdict =
        new Succeeded(
            List.of(new Value(node, 0, "1", false)),
            null,
            List.of(),
            List.of(new Bump("child", 2, -1, 3, false)),
            false);
    return new Settlement(new TaskRef(run, parent + 1L, 1), node, 0, lane, 0, 1, 0, verdict);
  }
}

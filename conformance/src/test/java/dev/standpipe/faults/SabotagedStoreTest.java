package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.SHORT_LEASE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.checker.Verdict;
import dev.standpipe.checker.Violation;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.fixture.Sabotage;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.conformance.server.SqliteFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proof that the checker sees what it is there for: each guarantee is taken out of the store in
 * turn, and each time the checker must name the invariant that broke. With the guarantee in place,
 * the same story must pass.
 */
class SabotagedStoreTest {
  @TempDir private Path directory;
  private final SqliteFile file = SqliteFile.create();
  private final EngineFixture processes = new EngineFixture(file.dataSource());
  private final List<String> histories = new ArrayList<>();
  private final CountDownLatch wakeUp = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  @AfterEach
  void close() {
    wakeUp.countDown();
    open.countDown();
    processes.close();
    file.close();
  }

  @Test
  void aZombieIsRefused() throws InterruptedException {
    Verdict verdict = zombie(Sabotage.of(file.dataSource()), What.STALE);
    assertThat(verdict.violations()).isEmpty();
  }

  @Test
  void theCheckerCatchesAZombieWithoutTheTokenGuard() throws InterruptedException {
    Sabotage unguarded =
        Sabotage.of(file.dataSource())
            .replacing("and t.token = i.value ->> 3", "")
            .replacing("where t.owner = ? and t.state = 1", "where ? is not null and t.state = 1")
            .replacing("and t.token = i.token", "")
            .replacing("(run_id, id, token) in", "(run_id, id) in")
            .replacing(
                "select value ->> 1, value ->> 2, value ->> 3 from",
                "select value ->> 1, value ->> 2 from");
    Verdict verdict = zombie(unguarded, What.ACCEPTED);
    assertThat(invariants(verdict)).contains("I3");
    assertThat(verdict.toString()).contains("newer than what was accepted");
  }

  /** A cannot be heard, B takes its step, A is heard again before B is done. */
  private Verdict zombie(Sabotage sabotage, What fateOfA) throws InterruptedException {
    History a = history("a");
    History b = history("b");
    Valve valve = Valve.before(sabotage.dataSource());
    Pipeline<String, String> hangs = single("race", (text, ctx) -> body(a, ctx, wakeUp));
    Pipeline<String, String> waits = single("race", (text, ctx) -> body(b, ctx, open));
    Standpipe zombie =
        processes.start(
            Standpipe.on(valve.dataSource()).serve(hangs).lease(SHORT_LEASE).listener(a));
    Run<String> run = processes.client().start(hangs, "");
    a.acknowledge(run.id());
    awaitEntry("a", What.STARTED, "work");
    valve.shut();
    processes.start(processes.process(waits).lease(Duration.ofSeconds(8)).listener(b));
    awaitEntry("b", What.STARTED, "work");
    wakeUp.countDown();
    valve.open();
    awaitEntry("a", fateOfA, "work");
    open.countDown();
    awaitEntry("b", fateOfA == What.STALE ? What.ACCEPTED : What.STALE, "work");
    run.await(PATIENCE);
    zombie.close();
    return verdict();
  }

  @Test
  void aFanInOpensWithItsLastArrival() {
    fanIn(Sabotage.of(file.dataSource()));
    await().atMost(PATIENCE).until(() -> count("p", What.RUN_ENDED, "-") == 1);
    assertThat(verdict().violations()).isEmpty();
  }

  @Test
  void theCheckerCatchesALostArrival() {
    fanIn(
        Sabotage.of(file.dataSource())
            .replacing(
                "set remaining = a.remaining + excluded.remaining - excluded.need",
                "set remaining = a.remaining"));
    await()
        .atMost(PATIENCE)
        .until(() -> processes.query("select count(*) from standpipe_task").contains("0"));
    Verdict verdict = verdict();
    assertThat(invariants(verdict)).containsExactly("I1");
    assertThat(verdict.toString()).contains("last still waits for 1");
  }

  /** Two parents that arrive one after the other, in commits of their own. */
  private void fanIn(Sabotage sabotage) {
    History history = history("p");
    CountDownLatch now = new CountDownLatch(0);
    Pipeline<String, String> joined =
        Pipeline.define(
            "joined",
            String.class,
            String.class,
            flow -> {
              Node<String> one =
                  flow.input().step("one", String.class, (t, ctx) -> body(history, ctx, now));
              Node<String> two =
                  flow.input().step("two", String.class, (t, ctx) -> body(history, ctx, open));
              return Node.join(one, two)
                  .step("last", String.class, (x, y, ctx) -> body(history, ctx, now));
            });
    serve(sabotage, joined, history);
    history.acknowledge(processes.client().start(joined, "").id());
    awaitEntry("p", What.ACCEPTED, "one");
    open.countDown();
    awaitEntry("p", What.ACCEPTED, "two");
  }

  @Test
  void aChildCreatedOnceRunsOnce() {
    chain(Sabotage.of(file.dataSource()));
    open.countDown();
    await().atMost(PATIENCE).until(() -> count("p", What.RUN_ENDED, "-") == 1);
    assertThat(verdict().violations()).isEmpty();
  }

  @Test
  void theCheckerCatchesAChildCreatedTwice() {
    chain(
        Sabotage.of(file.dataSource())
            .replacing("insert into standpipe_result", "insert or replace into standpipe_result"));
    processes.execute(
        "insert into standpipe_task (run_id, id, node, idx, lane, priority, state, token, attempt, crashes)"
            + " select run_id, id + 1000, 'second', 0, lane, priority, 0, 0, 1, 0 from standpipe_task");
    await().atMost(PATIENCE).until(() -> count("p", What.ACCEPTED, "second") == 2);
    open.countDown();
    await()
        .atMost(PATIENCE)
        .until(() -> processes.query("select count(*) from standpipe_task").contains("0"));
    Verdict verdict = verdict();
    assertThat(invariants(verdict)).contains("I2");
    assertThat(verdict.toString()).contains("two results were accepted: ACCEPTED second[0]");
  }

  private void chain(Sabotage sabotage) {
    History history = history("p");
    CountDownLatch now = new CountDownLatch(0);
    Pipeline<String, String> chain =
        Pipeline.define(
            "chain",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("first", String.class, (t, ctx) -> body(history, ctx, now))
                    .step("second", String.class, (t, ctx) -> body(history, ctx, now))
                    .step("third", String.class, (t, ctx) -> body(history, ctx, open)));
    serve(sabotage, chain, history);
    history.acknowledge(processes.client().start(chain, "").id());
    awaitEntry("p", What.STARTED, "third");
  }

  private void serve(Sabotage sabotage, Pipeline<String, String> pipeline, History history) {
    processes.start(
        Standpipe.on(sabotage.dataSource())
            .serve(pipeline)
            .lease(Duration.ofMinutes(1))
            .listener(history));
  }

  /** Waits for its turn, however often it is interrupted, and says when it began and ended. */
  private static String body(History history, StepContext ctx, CountDownLatch turn) {
    history.note(What.STARTED, ctx);
    boolean waiting = true;
    while (waiting) {
      try {
        turn.await();
        waiting = false;
      } catch (InterruptedException e) {
        history.note(What.INTERRUPTED, ctx);
      }
    }
    history.note(What.ENDED, ctx);
    return "token " + ctx.token();
  }

  private History history(String process) {
    histories.add(process);
    return History.appendTo(directory.resolve(process + ".history"));
  }

  private void awaitEntry(String process, What what, String node) {
    await().atMost(PATIENCE).until(() -> count(process, what, node) > 0);
  }

  private long count(String process, What what, String node) {
    return entries(process).stream()
        .filter(entry -> entry.what() == what && entry.step().node().equals(node))
        .count();
  }

  private List<Entry> entries(String process) {
    return History.read(directory.resolve(process + ".history"));
  }

  private Verdict verdict() {
    List<Entry> all = histories.stream().flatMap(name -> entries(name).stream()).toList();
    return new Audit(file.dataSource(), all).verdict();
  }

  private static List<String> invariants(Verdict verdict) {
    return verdict.violations().stream().map(Violation::invariant).distinct().toList();
  }
}

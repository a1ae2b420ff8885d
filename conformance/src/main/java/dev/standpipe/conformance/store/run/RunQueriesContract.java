package dev.standpipe.conformance.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StatementCount;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.RunQueries.Awaited;
import dev.standpipe.internal.port.RunQueries.Selection;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.store.jdbc.Words;
import dev.standpipe.operate.RunFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Reading runs. */
public interface RunQueriesContract extends StorePart {
  /** A filter that lets every run through; it must name a status at least. */
  private static RunFilter any() {
    return RunFilter.where().status(RunStatus.values());
  }

  private RunQueries runQueries() {
    return db().store().runQueries();
  }

  @Test
  default void aListingIsOneStatementHoweverLong() {
    StatementCount count = StatementCount.before(db().source());
    try (StoreFixture counted = StoreFixture.on(count.dataSource())) {
      counted.start(150);
      RunQueries queries = counted.store().runQueries();
      assertThat(queries.newest(any(), 1)).hasSize(1);
      long before = count.total();
      assertThat(queries.newest(any(), 100)).hasSize(100);
      assertThat(count.total() - before).isEqualTo(1);
    }
  }

  @Test
  default void everyQuestionIsOneStatement() {
    StatementCount count = StatementCount.before(db().source());
    try (StoreFixture counted = StoreFixture.on(count.dataSource())) {
      List<UUID> runs = counted.start(3);
      UUID run = runs.get(0);
      RunQueries queries = counted.store().runQueries();
      assertThat(queries.find(run)).isPresent();
      List<Consumer<RunQueries>> questions =
          List.of(
              asked -> asked.find(run),
              asked -> asked.count(any()),
              asked -> asked.select(new Selection(any(), new UUID(0, 0), 10)),
              asked -> asked.keyed(StoreFixture.PIPELINE, List.of("one", "other")),
              asked -> asked.lane(run),
              asked -> asked.retryLimit(run, "a"),
              asked -> asked.ended(runs),
              asked -> asked.ends(runs.stream().map(id -> new Awaited(id, "a")).toList(), 100),
              asked -> asked.steps(run),
              asked -> asked.pending(run, 10),
              asked -> asked.failed(run, 10),
              asked -> asked.decisive(run, "a"),
              asked -> asked.attempts(run),
              asked -> asked.output(run, "a"),
              asked -> asked.value(run, "a", 0),
              asked -> asked.halting(10),
              asked -> asked.unwanted(UUID.randomUUID()));
      long before = count.total();
      questions.forEach(question -> question.accept(queries));
      assertThat(count.total() - before).isEqualTo(questions.size());
    }
  }

  @Test
  default void aListingSaysOfEachRunWhatIsFoundOfItAlone() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random dice = new Random(seed);
    Map<UUID, RunStatus> expected = inEveryStatus();
    List<UUID> newest = new ArrayList<>(expected.keySet());
    newest.sort(Comparator.comparing(UUID::toString).reversed());
    link(newest, dice);

    List<RunInfo> listed = runQueries().newest(any(), 1000);
    assertThat(listed).extracting(RunInfo::id).containsExactlyElementsOf(newest);
    for (RunInfo info : listed) {
      assertThat(info).isEqualTo(runQueries().find(info.id()).orElseThrow());
      assertThat(info.status()).isEqualTo(expected.get(info.id()));
    }
    assertThat(listed).anySatisfy(info -> assertThat(info.links().calls()).hasSizeGreaterThan(1));
    assertThat(listed).anySatisfy(info -> assertThat(info.cancellation()).isPresent());
    assertThat(runQueries().newest(any(), 5)).isEqualTo(listed.subList(0, 5));
    for (RunStatus status : RunStatus.values()) {
      assertThat(runQueries().newest(RunFilter.where().status(status), 1000))
          .isEqualTo(listed.stream().filter(info -> info.status() == status).toList());
    }
    RunFilter odd = any().label("parity", "odd");
    assertThat(runQueries().newest(odd, 1000))
        .isEqualTo(listed.stream().filter(info -> info.labels().containsValue("odd")).toList())
        .hasSize(newest.size() / 2);
    forget();
  }

  /** Only their own rows say what they are, so nothing else of the tables fits them. */
  private void forget() {
    db().execute("delete from standpipe.run");
    db().execute("delete from standpipe.task");
  }

  /** Several runs in each status there is. */
  private Map<UUID, RunStatus> inEveryStatus() {
    Map<UUID, RunStatus> runs = new LinkedHashMap<>();
    for (RunStatus status : RunStatus.values()) {
      List<NewRun> some = List.of(labeled("even"), labeled("odd"), labeled("even"), labeled("odd"));
      db().start(some);
      for (NewRun run : some) {
        bring(run.id(), status);
        runs.put(run.id(), status);
      }
    }
    return runs;
  }

  private static NewRun labeled(String parity) {
    UUID id = UUID.randomUUID();
    String key = parity.equals("odd") ? id.toString() : null;
    String labels = "{\"city\":\"Graz\",\"parity\":\"%s\"}".formatted(parity);
    return new NewRun(id, key, key, 3, labels, "{}", 0, null);
  }

  /** Writes what a run in this status has in its row. */
  private void bring(UUID run, RunStatus status) {
    String row =
        switch (status) {
          case RUNNING, WAITING, PAUSED -> "halt_reason = null";
          case HALTING -> "halt_reason = 'retries_exhausted', halt_node = 'a'";
          case FINISHING -> "halt_reason = 'finished', halt_node = 'a'";
          case CANCELING -> "halt_reason = 'canceled'";
          case SUCCEEDED -> "finished_at = created_at";
          case HALTED -> halted("deadline", 0);
          case FAILED -> halted("failed", 0) + ", halt_node = 'a'";
          case CANCELED -> halted("canceled", 0);
          case SKIPPED -> halted("skipped", 1);
          case COMPENSATING, COMPENSATED -> halted("call_failed", 2);
          case COMPENSATION_FAILED -> halted("canceled", 2);
        };
    db().execute(
            "update standpipe.run set status = '%s', %s where id = '%s'"
                .formatted(Words.of(status), row, run));
  }

  private static String halted(String reason, int followed) {
    return "finished_at = created_at, halt_reason = '%s', followed = %d"
        .formatted(reason, followed);
  }

  /** Links runs at random: each may come from another in every way, and lead to several. */
  private void link(List<UUID> runs, Random dice) {
    List<String> reruns = new ArrayList<>();
    List<String> chains = new ArrayList<>();
    List<String> dispatches = new ArrayList<>();
    List<String> calls = new ArrayList<>();
    List<String> audits = new ArrayList<>();
    List<UUID> shuffled = new ArrayList<>(runs);
    Collections.shuffle(shuffled, dice);
    for (int i = 1; i < shuffled.size(); i++) {
      UUID run = shuffled.get(i);
      UUID other = shuffled.get(dice.nextInt(Math.min(i, 8)));
      String node = dice.nextBoolean() ? "'a'" : "null";
      reruns.add("('%s', '%s', %s)".formatted(run, other, node));
      chains.add("('%s', '%s')".formatted(other, run));
      chains.add("('%s', '%s')".formatted(run, shuffled.get(0)));
      String kind = dice.nextBoolean() ? "on_complete" : "compensate";
      dispatches.add("('%s', '%s', '%s', %d)".formatted(run, other, kind, dice.nextInt(9) + 9 * i));
      String step = dice.nextBoolean() ? "a" : "B";
      calls.add("('%s', '%s', '%s', %d, %d)".formatted(run, other, step, dice.nextInt(12), i));
      audits.add("('ann', 'cancel', '%s', 'first')".formatted(run));
      audits.add("('bob', 'cancel', '%s', 'then')".formatted(run));
      audits.add("('eve', 'revive', '%s', 'last')".formatted(run));
    }
    insert("rerun (run_id, original_run_id, node)", reruns);
    insert("chain (upstream_run_id, downstream_run_id)", chains.stream().distinct().toList());
    insert("dispatched (run_id, original_run_id, kind, end_number)", dispatches);
    insert("called (run_id, parent_run_id, node, idx, call_number)", calls);
    insert("audit (actor, action, run_id, reason)", audits);
  }

  private void insert(String into, List<String> rows) {
    db().execute("insert into standpipe." + into + " values " + String.join(", ", rows));
  }
}

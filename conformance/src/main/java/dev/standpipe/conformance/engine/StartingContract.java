package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Starting runs. */
public interface StartingContract extends EnginePart {
  /** Says what it got. */
  Pipeline<String, String> ECHO = single("echo", (text, ctx) -> "echo " + text);

  @Test
  default void theSameKeyAndInputGiveTheSameRun() throws InterruptedException {
    Standpipe standpipe = engine().serve(ECHO);
    Run<String> first = standpipe.start(ECHO, "a", RunOptions.key("k"));
    Run<String> second = standpipe.start(ECHO, "a", RunOptions.key("k"));
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.await(PATIENCE)).isEqualTo("echo a");
    assertThat(standpipe.start(ECHO, "a", RunOptions.key("k")).id()).isEqualTo(first.id());
    assertThat(engine().client().start(ECHO, "a", RunOptions.key("k")).id()).isEqualTo(first.id());
    assertThat(first.info().key()).contains("k");
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("1");
  }

  @Test
  default void theSameKeyWithAnotherInputIsRefused() throws InterruptedException {
    Pipeline<String, String> other = single("other", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(ECHO, other);
    Run<String> first = standpipe.start(ECHO, "a", RunOptions.key("k"));
    assertThatExceptionOfType(DuplicateKeyException.class)
        .isThrownBy(() -> standpipe.start(ECHO, "b", RunOptions.key("k")))
        .withMessageContaining(first.id().toString())
        .withMessageContaining("\"k\"")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_KEY));
    assertThat(standpipe.start(other, "b", RunOptions.key("k")).await(PATIENCE)).isEqualTo("b");
    assertThat(first.await(PATIENCE)).isEqualTo("echo a");
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("2");
  }

  @Test
  default void racingStartsWithOneKeyGiveOneRun() throws InterruptedException {
    Standpipe server = engine().serve(ECHO);
    Standpipe client = engine().client();
    for (int round = 0; round < 5; round++) {
      String key = "round-" + round;
      List<UUID> ids =
          Racers.race(
              16,
              number ->
                  (number % 2 == 0 ? server : client)
                      .start(ECHO, "same", RunOptions.key(key))
                      .id());
      assertThat(Set.copyOf(ids)).hasSize(1);
      assertThat(server.run(ECHO, ids.get(0)).await(PATIENCE)).isEqualTo("echo same");
    }
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("5");
    assertThat(engine().query("select count(*) from standpipe_result where node = 'work'"))
        .containsExactly("5");
  }

  @Test
  default void aBulkStartGivesRepeatedKeysOneRun() throws InterruptedException {
    Standpipe standpipe = engine().serve(ECHO);
    List<String> inputs =
        IntStream.range(0, 1_000).mapToObj(i -> Integer.toString(i % 700)).toList();
    List<Run<String>> runs = standpipe.startAll(ECHO, inputs, RunOptions::key);
    assertThat(runs).hasSize(1_000);
    Set<UUID> ids = new TreeSet<>();
    runs.forEach(run -> ids.add(run.id()));
    assertThat(ids).hasSize(700);
    assertThat(runs.get(699).id()).isNotEqualTo(runs.get(700).id());
    assertThat(runs.get(0).id()).isEqualTo(runs.get(700).id());
    assertThat(EngineFixture.await(runs))
        .isEqualTo(inputs.stream().map(input -> "echo " + input).toList());
    assertThat(standpipe.startAll(ECHO, inputs.subList(0, 10), RunOptions::key))
        .extracting(Run::id)
        .isEqualTo(runs.subList(0, 10).stream().map(Run::id).toList());
    assertThat(standpipe.startAll(ECHO, List.of())).isEmpty();
  }

  @Test
  default void aConflictingKeyStopsTheBulkStart() {
    Standpipe standpipe = engine().client();
    Run<String> taken = standpipe.start(ECHO, "taken", RunOptions.key("5"));
    List<String> inputs = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
    assertThatExceptionOfType(DuplicateKeyException.class)
        .isThrownBy(() -> standpipe.startAll(ECHO, inputs, RunOptions::key))
        .withMessageContaining(taken.id().toString());
    assertThatExceptionOfType(DuplicateKeyException.class)
        .isThrownBy(
            () -> standpipe.startAll(ECHO, List.of("x", "y"), input -> RunOptions.key("one")));
    assertThat(engine().query("select key from standpipe_run")).containsExactly("5");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("1");
  }

  @Test
  default void aStartSharesTheCallersTransaction() throws SQLException, InterruptedException {
    Standpipe standpipe = engine().serve(ECHO);
    Run<String> run;
    try (Connection connection = engine().source().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("create table orders (id integer)");
        statement.execute("insert into orders values (1)");
        run = standpipe.start(connection, ECHO, "committed", RunOptions.key("c"));
        connection.commit();
        statement.execute("insert into orders values (2)");
        standpipe.start(connection, ECHO, "rolled back", RunOptions.key("r"));
        connection.rollback();
      }
    }
    assertThat(run.await(PATIENCE)).isEqualTo("echo committed");
    assertThat(engine().query("select id from orders")).containsExactly("1");
    assertThat(engine().query("select key from standpipe_run")).containsExactly("c");
    assertThat(standpipe.start(ECHO, "now", RunOptions.key("r")).await(PATIENCE))
        .isEqualTo("echo now");
  }

  @Test
  default void aRunWithSeveralFirstStepsSharesTheTransaction()
      throws SQLException, InterruptedException {
    Pipeline<String, String> both =
        Pipeline.define(
            "both",
            String.class,
            String.class,
            flow ->
                Node.join(
                        flow.input().step("left", String.class, text -> text + 1),
                        flow.input().step("right", String.class, text -> text + 2))
                    .step("both", String.class, (left, right) -> left + right));
    Standpipe standpipe = engine().serve(both);
    try (Connection connection = engine().source().getConnection()) {
      connection.setAutoCommit(false);
      Run<String> run = standpipe.start(connection, both, "x", RunOptions.none());
      connection.commit();
      assertThat(run.await(PATIENCE)).isEqualTo("x1x2");
    }
  }

  @Test
  default void aFirstStartMayUseTheCallersTransaction() throws SQLException, InterruptedException {
    engine().serve(ECHO);
    Standpipe client = engine().client();
    Run<String> run;
    try (Connection connection = engine().source().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("create table orders (id integer)");
        run = client.start(connection, ECHO, "first", RunOptions.none());
        connection.commit();
      }
    }
    assertThat(run.await(PATIENCE)).isEqualTo("echo first");
  }

  @Test
  default void aClientStartsByNameAndReadsTheResult() throws InterruptedException {
    record Point(int x, List<String> tags) {}
    Pipeline<Point, Point> move =
        Pipeline.define(
            "move",
            Point.class,
            Point.class,
            flow ->
                flow.input()
                    .step("right", Point.class, point -> new Point(point.x() + 1, point.tags())));
    engine().serve(move);
    Standpipe client = engine().client();
    Run<Object> run =
        client.start("move", Map.of("x", 1, "tags", List.of("a", "b")), RunOptions.none());
    assertThat(run.await(PATIENCE)).isEqualTo(Map.of("x", 2, "tags", List.of("a", "b")));
    assertThat(client.run(run.id()).result()).contains(Map.of("x", 2, "tags", List.of("a", "b")));
    assertThat(client.run(move, run.id()).result()).contains(new Point(2, List.of("a", "b")));
  }

  @Test
  default void errorsNameTheUnknownPipelineOrRun() {
    Standpipe client = engine().client();
    UUID nobody = UUID.randomUUID();
    assertThatExceptionOfType(UnknownPipelineException.class)
        .isThrownBy(() -> client.start("nothing", "", RunOptions.none()))
        .withMessageContaining("\"nothing\"");
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> client.run(nobody))
        .withMessageContaining(nobody.toString());
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> client.run(ECHO, nobody))
        .withMessageContaining(nobody.toString());
    Run<String> run = client.start(ECHO, "");
    Pipeline<String, String> other = single("other", (text, ctx) -> text);
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> client.run(other, run.id()));
  }

  @Test
  default void pipelinesWithTheSameNameAreRefused() {
    Pipeline<String, String> twin = single("echo", (text, ctx) -> text);
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> engine().process(ECHO, twin))
        .withMessageContaining("\"echo\"")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_PIPELINE));
    engine().serve(ECHO, ECHO);
  }

  @Test
  default void theRunInfoShowsItsStartOptions() {
    Standpipe client = engine().client();
    Run<String> run =
        client.start(
            ECHO,
            "",
            RunOptions.key("key 1")
                .priority(-7)
                .label("customer", "acme \"&\" sons")
                .label("b", ""));
    RunInfo info = run.info();
    assertThat(info.id()).isEqualTo(run.id());
    assertThat(info.pipeline()).isEqualTo("echo");
    assertThat(info.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(info.key()).contains("key 1");
    assertThat(info.priority()).isEqualTo(-7);
    assertThat(info.labels()).isEqualTo(Map.of("customer", "acme \"&\" sons", "b", ""));
    assertThat(info.haltReason()).isEmpty();
    assertThat(info.finishedAt()).isEmpty();
  }

  @Test
  default void eachRunGetsItsOwnOptions() {
    Standpipe client = engine().client();
    List<Run<String>> runs =
        client.startAll(
            ECHO,
            List.of("1", "2", "3"),
            input -> RunOptions.none().priority(Integer.parseInt(input)).label("n", input));
    List<String> seen = new ArrayList<>();
    runs.forEach(run -> seen.add(run.info().priority() + run.info().labels().toString()));
    assertThat(seen).containsExactly("1{n=1}", "2{n=2}", "3{n=3}");
  }
}

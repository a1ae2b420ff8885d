package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.SignalOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.UnknownSignalException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Expands inside expands, collapsed level by level. */
public interface ExpandInsideContract extends EnginePart {
  private static List<String> split(String text, String by) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(by));
  }

  /** Lines, words and letters: letters are doubled, and all comes together again. */
  private static Pipeline<String, String> text() {
    return Pipeline.define(
        "text",
        String.class,
        String.class,
        flow ->
            flow.input()
                .expand("lines", String.class, text -> split(text, ";"))
                .step("line", String.class, line -> line.strip())
                .expand(
                    "words",
                    String.class,
                    line -> split(line, " "),
                    word ->
                        word.limit(100)
                            .expand(
                                "letters",
                                String.class,
                                w -> split(w, ""),
                                letter ->
                                    letter
                                        .limit(100)
                                        .step("twice", String.class, l -> l + l)
                                        .collapse("word", String.class, l -> String.join("", l)))
                            .step("bracket", String.class, w -> "(" + w + ")")
                            .collapse("joined", String.class, w -> String.join(" ", w)))
                .step("end", String.class, line -> line + ".")
                .collapse("all", String.class, lines -> String.join("|", lines)));
  }

  @Test
  default void eachLevelCollapsesPerOuterElement() throws InterruptedException {
    Pipeline<String, String> text = text();
    Standpipe standpipe = engine().serve(text);
    Run<String> run = standpipe.start(text, "ab c; d ;efg hi j");
    assertThat(run.await(PATIENCE)).isEqualTo("(aabb) (cc).|(dd).|(eeffgg) (hhii) (jj).");
    assertThat(run.steps()).allMatch(step -> step.state() == StepState.SUCCEEDED);
    assertThat(run.steps())
        .filteredOn(step -> step.node().equals("bracket"))
        .extracting(StepInfo::index)
        .containsExactly(0, 1, 100, 200, 201, 202);
    assertThat(run.steps())
        .filteredOn(step -> step.node().equals("twice"))
        .extracting(StepInfo::index)
        .containsExactly(0, 1, 100, 10_000, 20_000, 20_001, 20_002, 20_100, 20_101, 20_200);
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(engine().query("select count(*) from standpipe_arrival where remaining > 0"))
        .containsExactly("0");
  }

  @Test
  default void anEmptyInnerExpandCollapses() throws InterruptedException {
    Pipeline<String, String> text = text();
    Standpipe standpipe = engine().serve(text);
    assertThat(standpipe.start(text, "a; ;b").await(PATIENCE)).isEqualTo("(aa).|.|(bb).");
    assertThat(standpipe.start(text, "").await(PATIENCE)).isEmpty();
  }

  @Test
  default void aSignalMustNameAnExistingInnerElement() throws InterruptedException {
    Pipeline<String, String> votes =
        Pipeline.define(
            "votes-inside",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("rooms", String.class, text -> split(text, ";"))
                    .expand(
                        "people",
                        String.class,
                        room -> split(room, " "),
                        person ->
                            person
                                .limit(10)
                                .await("vote", String.class)
                                .collapse("room", String.class, all -> String.join("", all)))
                    .collapse("all", String.class, all -> String.join("|", all)));
    Standpipe standpipe = engine().serve(votes);
    Run<String> run = standpipe.start(votes, "ann bob;cy");
    await().atMost(PATIENCE).until(() -> waiting(run) == 3);
    assertThatThrownBy(() -> standpipe.signal(run.id(), "vote", "x", SignalOptions.index(2)))
        .isInstanceOf(UnknownSignalException.class)
        .hasMessageContaining("has no element 2: say one from 0 to 1");
    assertThatThrownBy(() -> standpipe.signal(run.id(), "vote", "x", SignalOptions.index(11)))
        .hasMessageContaining("has no element 11: say one from 10 to 10");
    assertThatThrownBy(() -> standpipe.signal(run.id(), "vote", "x", SignalOptions.index(20)))
        .hasMessageContaining("has no element 20: there are none");
    for (int index : List.of(10, 0, 1)) {
      standpipe.signal(run.id(), "vote", "v" + index, SignalOptions.index(index));
    }
    assertThat(run.await(PATIENCE)).isEqualTo("v0v1|v10");
  }

  private static long waiting(Run<?> run) {
    return run.steps().stream().filter(step -> step.state() == StepState.WAITING).count();
  }

  @Test
  default void anInnerBodyKnowsItsIndexAndKey() throws InterruptedException {
    ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>();
    Pipeline<Integer, Integer> grid =
        Pipeline.define(
            "grid",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("rows", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .expand(
                        "columns",
                        Integer.class,
                        row -> IntStream.range(0, row).boxed().toList(),
                        cell ->
                            cell.limit(10)
                                .step(
                                    "cell",
                                    Integer.class,
                                    (n, ctx) -> {
                                      keys.add(ctx.idempotencyKey());
                                      return ctx.index();
                                    })
                                .reduce("row", Integer.class, () -> 0, Integer::sum))
                    .reduce("all", Integer.class, () -> 0, Integer::sum));
    Run<Integer> run = engine().serve(grid).start(grid, 4);
    assertThat(run.await(PATIENCE)).isEqualTo(10 + 20 + 21 + 30 + 31 + 32);
    assertThat(keys)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.of(10, 20, 21, 30, 31, 32).mapToObj(i -> run.id() + "/cell/" + i).toList());
  }

  @Test
  default void aReviveFinishesTheInnerExpandAfterAFailure() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> flaky =
        Pipeline.define(
            "flaky-inside",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("lines", String.class, text -> split(text, ";"))
                    .expand(
                        "words",
                        String.class,
                        line -> split(line, " "),
                        word ->
                            word.step(
                                    "work",
                                    String.class,
                                    w -> {
                                      if (w.equals("x") && broken.get()) {
                                        throw new IllegalStateException("broken");
                                      }
                                      done.add(w);
                                      return w;
                                    })
                                .retry(Retry.never())
                                .collapse("line", String.class, w -> String.join("+", w)))
                    .collapse("all", String.class, lines -> String.join("|", lines)));
    Standpipe standpipe = engine().serve(flaky);
    Run<String> run = standpipe.start(flaky, "a b;c x d;e");
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "it is mended");
    assertThat(run.await(PATIENCE)).isEqualTo("a+b|c+x+d|e");
    assertThat(done).containsExactlyInAnyOrder("a", "b", "c", "x", "d", "e");
  }

  @Test
  default void tooManyInnerElementsHaltTheRun() {
    Pipeline<String, String> text = text();
    Run<String> run = engine().serve(text).start(text, "a;" + "b ".repeat(101));
    assertThatThrownBy(() -> run.await(PATIENCE))
        .hasMessageContaining("The expand \"words\" yielded 101 elements, and its limit is 100");
    assertThat(run.info().haltReason()).contains(HaltReason.FAN_OUT_LIMIT);
  }

  @Test
  default void aSkippedArmSkipsItsInnerExpands() throws InterruptedException {
    Pipeline<String, String> words =
        Pipeline.define(
            "skipped-inside",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .divert("way", text -> text.isEmpty() ? "none" : "some")
                    .on(
                        "some",
                        node ->
                            node.expand("lines", String.class, text -> split(text, ";"))
                                .expand(
                                    "words",
                                    String.class,
                                    line -> split(line, " "),
                                    word ->
                                        word.step("word", String.class, w -> w + w)
                                            .collapse(
                                                "line", String.class, w -> String.join(" ", w)))
                                .collapse("all", String.class, l -> String.join("|", l)))
                    .otherwise(node -> node.step("nothing", String.class, text -> "-"))
                    .converge());
    Standpipe standpipe = engine().serve(words);
    assertThat(standpipe.start(words, "a b;c").await(PATIENCE)).isEqualTo("aa bb|cc");
    Run<String> none = standpipe.start(words, "");
    assertThat(none.await(PATIENCE)).isEqualTo("-");
    assertThat(none.steps())
        .filteredOn(step -> step.state() == StepState.SKIPPED)
        .extracting(StepInfo::node)
        .containsExactly("all", "line", "lines", "word", "words");
  }
}

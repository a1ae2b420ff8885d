package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Arms taken and not taken, and what becomes of what is on them. */
public interface DivertContract extends EnginePart {
  private static Pipeline<String, String> letters() {
    return Pipeline.define(
        "letters",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step("trim", String.class, String::trim)
                .divert("way", text -> text.substring(0, 1))
                .on(
                    "a",
                    node ->
                        node.step("a1", String.class, text -> text + "1")
                            .step("a2", String.class, text -> text + "2"))
                .on("b", node -> node)
                .otherwise(node -> node.step("else", String.class, text -> text + "?"))
                .converge()
                .step("end", String.class, text -> text + "."));
  }

  private static Map<String, StepState> states(Run<?> run) {
    return run.steps().stream().collect(Collectors.toMap(StepInfo::node, StepInfo::state));
  }

  @Test
  default void aDivertSkipsTheArmsNotTaken() throws InterruptedException {
    Pipeline<String, String> letters = letters();
    Standpipe standpipe = engine().serve(letters);
    Run<String> a = standpipe.start(letters, " a");
    Run<String> other = standpipe.start(letters, "x");
    assertThat(a.await(PATIENCE)).isEqualTo("a12.");
    assertThat(states(a))
        .containsEntry("a1", StepState.SUCCEEDED)
        .containsEntry("a2", StepState.SUCCEEDED)
        .containsEntry("else", StepState.SKIPPED);
    assertThat(other.await(PATIENCE)).isEqualTo("x?.");
    assertThat(states(other))
        .containsEntry("a1", StepState.SKIPPED)
        .containsEntry("a2", StepState.SKIPPED)
        .containsEntry("else", StepState.SUCCEEDED);
    assertThat(other.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void anEmptyArmPassesTheDivertedValueOn() throws InterruptedException {
    Pipeline<String, String> letters = letters();
    Run<String> run = engine().serve(letters).start(letters, " b ");
    assertThat(run.await(PATIENCE)).isEqualTo("b.");
    assertThat(states(run).values()).filteredOn(StepState.SKIPPED::equals).hasSize(3);
  }

  @Test
  default void anUnknownArmHaltsTheRunWithoutAnOtherwise() {
    Pipeline<String, String> strict =
        Pipeline.define(
            "strict",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .divert("way", text -> text)
                    .retry(Retry.standard())
                    .on("a", node -> node)
                    .on("b", node -> node)
                    .orHalt()
                    .converge());
    Run<String> run = engine().serve(strict).start(strict, "c");
    assertThatThrownBy(() -> run.await(PATIENCE))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("unmatched divert")
        .hasMessageContaining("has no arm \"c\", only a, b");
    assertThat(run.info().haltReason()).contains(HaltReason.UNMATCHED_DIVERT);
    assertThat(run.attempts()).hasSize(1).allMatch(a -> a.outcome() == AttemptOutcome.FAILED);
  }

  @Test
  default void nestedDivertsSkipTheArmsOfASkippedDivert() throws InterruptedException {
    Pipeline<Integer, String> nested =
        Pipeline.define(
            "nested",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .divert("sign", n -> n < 0 ? "minus" : "plus")
                    .on(
                        "plus",
                        node ->
                            node.divert("size", n -> n > 9 ? "big" : "small")
                                .on("big", n -> n.step("big", String.class, x -> "big " + x))
                                .otherwise(n -> n.step("small", String.class, x -> "small " + x))
                                .converge())
                    .otherwise(node -> node.step("minus", String.class, x -> "minus " + -x))
                    .converge());
    Standpipe standpipe = engine().serve(nested);
    Run<String> minus = standpipe.start(nested, -7);
    assertThat(standpipe.start(nested, 70).await(PATIENCE)).isEqualTo("big 70");
    assertThat(standpipe.start(nested, 7).await(PATIENCE)).isEqualTo("small 7");
    assertThat(minus.await(PATIENCE)).isEqualTo("minus 7");
    assertThat(states(minus))
        .containsEntry("size", StepState.SKIPPED)
        .containsEntry("big", StepState.SKIPPED)
        .containsEntry("size:converge", StepState.SKIPPED);
  }

  @Test
  default void aJoinIsSkippedIfAllItsInputsAreSkipped() throws InterruptedException {
    Pipeline<String, String> joined =
        Pipeline.define(
            "joined",
            String.class,
            String.class,
            flow -> {
              List<Node<String>> inside = new ArrayList<>();
              for (String name : List.of("one", "two")) {
                flow.input()
                    .divert(name, text -> text.contains(name) ? "in" : "out")
                    .on(
                        "in",
                        node -> {
                          Node<String> step = node.step(name + "-in", String.class, x -> name);
                          inside.add(step);
                          return step;
                        })
                    .otherwise(node -> node)
                    .converge();
              }
              Node<String> both =
                  Node.join(inside.get(0), inside.get(1))
                      .step("both", String.class, (one, two) -> one + "+" + two);
              return Node.join(flow.input(), both)
                  .step("end", String.class, (in, b) -> in + "=" + b);
            });
    Standpipe standpipe = engine().serve(joined);
    assertThat(standpipe.start(joined, "one two").await(PATIENCE)).isEqualTo("one two=one+two");
    assertThat(standpipe.start(joined, "two").await(PATIENCE)).isEqualTo("two=null+two");
    Run<String> none = standpipe.start(joined, "-");
    assertThat(none.await(PATIENCE)).isEqualTo("-=null");
    assertThat(states(none)).containsEntry("both", StepState.SKIPPED);
  }

  @Test
  default void anExpandOnAnArmSkipsWithItsElements() throws InterruptedException {
    Pipeline<String, Integer> words =
        Pipeline.define(
            "words",
            String.class,
            Integer.class,
            flow ->
                flow.input()
                    .divert("way", text -> text.isEmpty() ? "none" : "some")
                    .on(
                        "some",
                        node ->
                            node.expand("split", String.class, text -> List.of(text.split(" ")))
                                .step("length", Integer.class, String::length)
                                .collapse(
                                    "sum",
                                    Integer.class,
                                    all -> all.stream().mapToInt(n -> n).sum()))
                    .otherwise(node -> node.step("zero", Integer.class, text -> 0))
                    .converge());
    Standpipe standpipe = engine().serve(words);
    assertThat(standpipe.start(words, "a bc def").await(PATIENCE)).isEqualTo(6);
    Run<Integer> none = standpipe.start(words, "");
    assertThat(none.await(PATIENCE)).isZero();
    assertThat(states(none))
        .containsEntry("split", StepState.SKIPPED)
        .containsEntry("length", StepState.SKIPPED)
        .containsEntry("sum", StepState.SKIPPED);
  }

  @Test
  default void aStepOnAnArmWaitsForItsOutsideInputs() throws InterruptedException {
    Pipeline<Integer, String> mixed =
        Pipeline.define(
            "mixed",
            Integer.class,
            String.class,
            flow -> {
              Node<String> outside = flow.input().step("outside", String.class, n -> "o" + n);
              Node<String> end =
                  flow.input()
                      .divert("way", n -> n % 2 == 0 ? "even" : "odd")
                      .on(
                          "even",
                          node ->
                              Node.join(node, outside).step("mix", String.class, (n, o) -> n + o))
                      .otherwise(node -> node.step("odd", String.class, n -> "odd").after(outside))
                      .converge();
              return end.step("end", String.class, text -> text + "!");
            });
    Standpipe standpipe = engine().serve(mixed);
    Run<String> even = standpipe.start(mixed, 2);
    Run<String> odd = standpipe.start(mixed, 3);
    assertThat(even.await(PATIENCE)).isEqualTo("2o2!");
    assertThat(odd.await(PATIENCE)).isEqualTo("odd!");
    assertThat(states(odd)).containsEntry("mix", StepState.SKIPPED);
    assertThat(states(even)).containsEntry("odd", StepState.SKIPPED);
  }

  @Test
  default void aRevivedRunKeepsTheArmItTook() throws InterruptedException {
    AtomicInteger choices = new AtomicInteger();
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<String, String> mended =
        Pipeline.define(
            "mended",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .divert("way", text -> choices.incrementAndGet() == 1 ? "a" : "b")
                    .on(
                        "a",
                        node ->
                            node.step("a1", String.class, text -> require(text, broken))
                                .retry(Retry.never()))
                    .on("b", node -> node.step("b1", String.class, text -> text))
                    .otherwise(node -> node.step("else", String.class, text -> text))
                    .converge());
    Standpipe standpipe = engine().serve(mended);
    Run<String> run = standpipe.start(mended, "x");
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThat(choices).hasValue(1);
    assertThat(states(run))
        .containsEntry("a1", StepState.SUCCEEDED)
        .containsEntry("b1", StepState.SKIPPED)
        .containsEntry("else", StepState.SKIPPED);
  }

  private static String require(String text, AtomicBoolean broken) {
    if (broken.get()) {
      throw new IllegalStateException("broken");
    }
    return text;
  }
}

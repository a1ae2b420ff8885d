package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shapes a graph can have, and what flows through them. */
public interface GraphShapeContract extends EnginePart {
  @Test
  default void aChainHandsEachValueToTheNextStep() throws InterruptedException {
    Pipeline<String, String> chain =
        Pipeline.define(
            "chain",
            String.class,
            String.class,
            flow -> {
              Node<String> node = flow.input();
              for (String letter : List.of("a", "b", "c", "d", "e")) {
                node = node.step(letter, String.class, text -> text + letter);
              }
              return node;
            });
    Run<String> run = engine().serve(chain).start(chain, "-");
    assertThat(run.await(PATIENCE)).isEqualTo("-abcde");
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.result()).contains("-abcde");
    assertThat(run.steps())
        .allMatch(step -> step.state() == StepState.SUCCEEDED)
        .extracting(StepInfo::node)
        .containsExactly("a", "b", "c", "d", "e");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void branchesRunSideBySide() throws InterruptedException {
    CyclicBarrier both = new CyclicBarrier(2);
    Pipeline<Integer, Integer> fork =
        Pipeline.define(
            "fork",
            Integer.class,
            Integer.class,
            flow -> {
              Node<Integer> left =
                  flow.input()
                      .step("left", Integer.class, n -> n + meet(both))
                      .retry(Retry.never());
              Node<Integer> right =
                  flow.input()
                      .step("right", Integer.class, n -> n * 2 + meet(both))
                      .retry(Retry.never());
              return Node.join(left, right).step("sum", Integer.class, Integer::sum);
            });
    assertThat(engine().serve(fork).start(fork, 7).await(PATIENCE)).isEqualTo(7 + 14);
  }

  private static int meet(CyclicBarrier barrier) throws Exception {
    barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return 0;
  }

  @Test
  default void joinsGetTheirValuesInOrder() throws InterruptedException {
    Pipeline<String, String> joins =
        Pipeline.define(
            "joins",
            String.class,
            String.class,
            flow -> {
              List<Node<String>> nodes = new ArrayList<>();
              for (String key : List.of("a", "b", "c", "d", "e")) {
                nodes.add(flow.input().step(key, String.class, text -> text + key));
              }
              Node<String> a = nodes.get(0);
              Node<String> b = nodes.get(1);
              Node<String> c = nodes.get(2);
              Node<String> d = nodes.get(3);
              Node<String> two = Node.join(a, b).step("two", String.class, (x, y) -> "2" + x + y);
              Node<String> three =
                  Node.join(a, b, c).step("three", String.class, (x, y, z) -> "3" + x + y + z);
              Node<String> four =
                  Node.join(a, b, c, d)
                      .step("four", String.class, (w, x, y, z) -> "4" + w + x + y + z);
              Node<String> all =
                  Node.all(nodes).step("all", String.class, list -> "*" + String.join("", list));
              return Node.all(List.of(two, three, four, all))
                  .step("end", String.class, list -> String.join(" ", list));
            });
    assertThat(engine().serve(joins).start(joins, ".").await(PATIENCE))
        .isEqualTo("2.a.b 3.a.b.c 4.a.b.c.d *.a.b.c.d.e");
  }

  @Test
  default void aStepMayWaitForAnotherWithoutItsValue() throws InterruptedException {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "after",
            String.class,
            String.class,
            flow -> {
              Node<String> slow =
                  flow.input()
                      .step("slow", String.class, text -> text)
                      .step(
                          "slower",
                          String.class,
                          text -> {
                            order.add("slower");
                            return text;
                          });
              return flow.input()
                  .step(
                      "last",
                      String.class,
                      text -> {
                        order.add("last");
                        return text + "!";
                      })
                  .after(slow);
            });
    assertThat(engine().serve(pipeline).start(pipeline, "x").await(PATIENCE)).isEqualTo("x!");
    assertThat(order).containsExactly("slower", "last");
  }

  /** Splits, works on each letter in three steps, and puts the letters together again. */
  private static Pipeline<String, String> letters() {
    return Pipeline.define(
        "letters",
        String.class,
        String.class,
        flow ->
            flow.input()
                .expand(
                    "split",
                    String.class,
                    text -> text.chars().mapToObj(Character::toString).toList())
                .step("index", String.class, (letter, ctx) -> ctx.index() + letter)
                .step("double", String.class, letter -> letter + letter)
                .step("bracket", String.class, letter -> "(" + letter + ")")
                .collapse("join", String.class, list -> String.join("", list)));
  }

  @Test
  default void anExpandCollapsesInElementOrder() throws InterruptedException {
    Pipeline<String, String> letters = letters();
    Run<String> run = engine().serve(letters).start(letters, "abcdefghijkl");
    assertThat(run.await(PATIENCE))
        .isEqualTo(
            IntStream.range(0, 12)
                .mapToObj(i -> "(" + i + (char) ('a' + i) + i + (char) ('a' + i) + ")")
                .collect(Collectors.joining()));
    assertThat(run.steps()).hasSize(1 + 3 * 12 + 1);
  }

  @Test
  default void anExpandOfNothingCollapsesAnEmptyList() throws InterruptedException {
    Pipeline<String, String> letters = letters();
    Run<String> run = engine().serve(letters).start(letters, "");
    assertThat(run.await(PATIENCE)).isEmpty();
    assertThat(run.steps()).extracting(StepInfo::node).containsExactly("join", "split");
  }

  @Test
  default void anUncollapsedExpandEndsTheRunWithItsLastElement() throws InterruptedException {
    Pipeline<Integer, Integer> loose =
        Pipeline.define(
            "loose",
            Integer.class,
            Integer.class,
            flow -> {
              Each<Integer> each =
                  flow.input()
                      .expand(
                          "numbers", Integer.class, n -> IntStream.range(0, n).boxed().toList());
              each.step("square", Integer.class, n -> n * n);
              return flow.input().step("result", Integer.class, n -> -n);
            });
    Standpipe standpipe = engine().serve(loose);
    Run<Integer> some = standpipe.start(loose, 20);
    Run<Integer> none = standpipe.start(loose, 0);
    assertThat(some.await(PATIENCE)).isEqualTo(-20);
    assertThat(none.await(PATIENCE)).isEqualTo(0);
    assertThat(some.steps())
        .filteredOn(step -> step.node().equals("square"))
        .hasSize(20)
        .allMatch(step -> step.state() == StepState.SUCCEEDED);
    assertThat(none.steps()).extracting(StepInfo::node).containsExactly("numbers", "result");
  }

  @Test
  default void anExpandOfThousandsLosesNoElement() throws InterruptedException {
    int count = 5_000;
    TypeToken<List<Integer>> list = new TypeToken<>() {};
    Pipeline<Integer, List<Integer>> many =
        Pipeline.define(
            "many",
            TypeToken.of(Integer.class),
            list,
            flow ->
                flow.input()
                    .expand("numbers", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .step("twice", Integer.class, n -> 2 * n)
                    .collapse("all", list, numbers -> numbers));
    assertThat(engine().serve(many).start(many, count).await(PATIENCE))
        .isEqualTo(IntStream.range(0, count).map(n -> 2 * n).boxed().toList());
  }
}

package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.error.DefinitionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Graphs built in loops. The promise is a second each; the limit leaves room for a busy machine.
 */
class BigGraphTest {
  private static final int NODES = 10_000;
  private static final Duration LIMIT = Duration.ofSeconds(3);

  @Test
  void aChainOfTenThousandNodesIsDefinedQuickly() {
    Pipeline<Integer, Integer> chain =
        timed(
            "chain",
            flow -> {
              Node<Integer> last = flow.input();
              for (int i = 0; i < NODES; i++) {
                last = last.step("step-" + i, Integer.class, n -> n + 1);
              }
              return last;
            });
    assertThat(chain.graph().nodes()).hasSize(NODES + 1);
  }

  @Test
  void tenThousandNodesSideBySideAreDefinedQuickly() {
    Pipeline<Integer, Integer> wide =
        timed(
            "wide",
            flow -> {
              List<Node<Integer>> all = new ArrayList<>();
              for (int i = 0; i < NODES; i++) {
                all.add(flow.input().step("step-" + i, Integer.class, n -> n + 1));
              }
              return Node.all(all).step("sum", Integer.class, List::size);
            });
    assertThat(wide.graph().vertex("sum").need()).isEqualTo(NODES);
  }

  @Test
  void tenThousandNodesInLayersAreDefinedQuickly() {
    Pipeline<Integer, Integer> layered =
        timed(
            "layered",
            flow -> {
              List<Node<Integer>> layer = layer(flow.input());
              for (int depth = 1; depth < 100; depth++) {
                layer = layer(layer, depth);
              }
              return Node.all(layer).step("sum", Integer.class, List::size);
            });
    assertThat(layered.graph().nodes()).hasSize(NODES + 2);
  }

  @Test
  void tenThousandNodesInNestedExpandsAreDefinedQuickly() {
    Pipeline<Integer, Integer> nested =
        timed(
            "nested",
            flow -> {
              Node<Integer> last = flow.input();
              for (int i = 0; i < NODES / 5; i++) {
                String key = "node-" + i;
                last =
                    last.expand(key + "/out", Integer.class, n -> List.of(n))
                        .expand(
                            key + "/in",
                            Integer.class,
                            n -> List.of(n),
                            inside ->
                                inside
                                    .step(key + "/step", Integer.class, n -> n)
                                    .collapse(key + "/inner", Integer.class, List::size))
                        .collapse(key + "/outer", Integer.class, List::size);
              }
              return last;
            });
    assertThat(nested.graph().nodes()).hasSize(NODES + 1);
  }

  @Test
  void aCycleOfTenThousandNodesIsReportedQuickly() {
    long began = System.nanoTime();
    assertThatThrownBy(
            () ->
                Pipeline.define(
                    "circle",
                    Integer.class,
                    Integer.class,
                    flow -> {
                      Node<Integer> first = flow.input().step("first", Integer.class, n -> n);
                      Node<Integer> last = first;
                      for (int i = 0; i < NODES; i++) {
                        last = last.step("step-" + i, Integer.class, n -> n);
                      }
                      first.after(last);
                      return last;
                    }))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("there is a cycle: first -> step-0 -> step-1 -> ");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.multipliedBy(2));
  }

  private static List<Node<Integer>> layer(Node<Integer> input) {
    List<Node<Integer>> layer = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      layer.add(input.step("0/" + i, Integer.class, n -> n));
    }
    return layer;
  }

  /** Each node joins four of the layer before it and waits for a fifth. */
  private static List<Node<Integer>> layer(List<Node<Integer>> before, int depth) {
    List<Node<Integer>> layer = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      layer.add(
          Node.join(
                  before.get(i),
                  before.get((i + 1) % 100),
                  before.get((i + 7) % 100),
                  before.get((i + 31) % 100))
              .step(depth + "/" + i, Integer.class, (a, b, c, d) -> a + b + c + d)
              .after(before.get((i + 50) % 100)));
    }
    return layer;
  }

  /** On a machine busy with other things the first try may be slow, but not all of them. */
  private static Pipeline<Integer, Integer> timed(
      String name, Function<Flow<Integer>, Node<Integer>> wiring) {
    for (int tries = 0; ; tries++) {
      long began = System.nanoTime();
      Pipeline<Integer, Integer> pipeline =
          Pipeline.define(name, Integer.class, Integer.class, wiring);
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      System.out.printf("%s: defined in %d ms%n", name, took.toMillis());
      if (took.compareTo(LIMIT) < 0) {
        return pipeline;
      }
      assertThat(tries).as("tries that took longer than %s", LIMIT).isLessThan(2);
    }
  }
}

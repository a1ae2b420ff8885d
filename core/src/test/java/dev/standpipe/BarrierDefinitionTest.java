package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.DefinitionException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class BarrierDefinitionTest {
  private static final StepFunction<String, String> SAME = value -> value;

  @Test
  void aBarrierSeparatesEarlierFromLaterSteps() {
    Graph graph =
        define(
                flow -> {
                  Node<String> a = step(flow.input(), "a");
                  step(a, "b");
                  step(flow.input(), "c");
                  flow.barrier("mid");
                  Node<String> d = step(a, "d");
                  flow.barrier("late");
                  return step(step(d, "e"), "f");
                })
            .graph();
    assertThat(after(graph, "mid")).containsExactly("b", "c");
    assertThat(after(graph, "d")).containsExactly("mid");
    assertThat(after(graph, "late")).containsExactly("d");
    assertThat(after(graph, "e")).containsExactly("late");
    assertThat(after(graph, "f")).isEmpty();
    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
  }

  @Test
  void aBarrierCannotSplitAnExpand() {
    assertThat(
            problems(
                flow -> {
                  Each<String> each =
                      flow.input().expand("all", String.class, text -> List.of(text));
                  flow.barrier("mid");
                  return each.step("late", String.class, SAME)
                      .collapse("sum", String.class, list -> "");
                }))
        .containsExactly(
            "step \"late\" after the barrier \"mid\" runs for each element of an expand before it:"
                + " collapse the elements first, or expand after the barrier");
  }

  @Test
  void anEarlierStepCannotWaitForALaterStep() {
    assertThat(
            problems(
                flow -> {
                  Node<String> early = step(flow.input(), "early");
                  flow.barrier("mid");
                  Node<String> late = step(flow.input(), "late");
                  early.after(late);
                  return late;
                }))
        .containsExactly(
            "there is a cycle: early -> mid -> late -> early; remove one of these edges");
  }

  @Test
  void aKeyIsUsedOnce() {
    assertThat(
            problems(
                flow -> {
                  flow.barrier("x y");
                  flow.barrier("a");
                  return step(flow.input(), "a");
                }))
        .hasSize(2)
        .anyMatch(problem -> problem.contains("\"x y\" is not valid"))
        .contains("several nodes have the key \"a\": give each its own");
  }

  @Test
  void aBarrierOnAnArmSeparatesTheArmsSteps() {
    Graph graph =
        define(
                flow -> {
                  step(flow.input(), "outside");
                  return flow.input()
                      .divert("way", SAME)
                      .on(
                          "a",
                          node -> {
                            step(node, "a1");
                            flow.barrier("mid");
                            return step(node, "a2");
                          })
                      .otherwise(node -> step(node, "b"))
                      .converge();
                })
            .graph();
    assertThat(after(graph, "mid")).containsExactly("a1");
    assertThat(after(graph, "a2")).containsExactly("mid");
    assertThat(after(graph, "b")).isEmpty();
    assertThat(after(graph, "way:converge")).isEmpty();
  }

  @Test
  void aBarrierIsDrawnBetweenItsSteps() {
    assertThat(
            define(
                    flow -> {
                      step(flow.input(), "a");
                      step(flow.input(), "b");
                      flow.barrier("mid");
                      return step(flow.input(), "c");
                    })
                .toMermaid())
        .isEqualTo(
            """
            flowchart TD
              n0([input])
              n1["a"]
              n2["b"]
              n3[/"mid"/]
              n4["c"]
              n0 --> n1
              n0 --> n2
              n1 -.-> n3
              n2 -.-> n3
              n0 --> n4
              n3 -.-> n4
              n4 --> result([result])
            """);
  }

  private static Node<String> step(Node<String> from, String key) {
    return from.step(key, String.class, SAME);
  }

  private static List<String> after(Graph graph, String key) {
    return graph.nodes().stream()
        .filter(node -> node.key().equals(key))
        .map(GraphNode::after)
        .findFirst()
        .orElseThrow();
  }

  private static Pipeline<String, String> define(Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define("parted", String.class, String.class, wiring);
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return catchThrowableOfType(DefinitionException.class, () -> define(wiring)).problems();
  }
}

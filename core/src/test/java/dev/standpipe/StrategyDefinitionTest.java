package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.IgnoredFailures;
import dev.standpipe.definition.Strategies;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.DefinitionException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StrategyDefinitionTest {
  private static final StepFunction<String, String> SAME = text -> text;

  /** A chain from a to c, d beside it, and an expand whose elements go through x, y and z. */
  private static Pipeline<String, String> define(
      Strategy pipeline, Map<String, Strategy> steps, Consumer<Flow<String>> more) {
    return Pipeline.define(
        "careful",
        String.class,
        String.class,
        flow -> {
          flow.strategy(pipeline);
          more.accept(flow);
          Node<String> a = said(flow.input().step("a", String.class, SAME), "a", steps);
          Node<String> b = said(a.step("b", String.class, SAME), "b", steps);
          Node<String> d = said(flow.input().step("d", String.class, SAME), "d", steps);
          Each<String> y =
              flow.input()
                  .expand("e", String.class, text -> List.of(text))
                  .step("x", String.class, SAME)
                  .step("y", String.class, SAME);
          if (steps.containsKey("y")) {
            y.strategy(steps.get("y"));
          }
          y.step("z", String.class, SAME).collapse("f", String.class, list -> "");
          return said(Node.join(b, d).step("c", String.class, (one, other) -> one), "c", steps);
        });
  }

  private static Node<String> said(Node<String> node, String key, Map<String, Strategy> steps) {
    return steps.containsKey(key) ? node.strategy(steps.get(key)) : node;
  }

  @Test
  void strategiesReadBackUnchanged() {
    Graph graph =
        define(Strategy.CONTINUE, Map.of("a", Strategy.IGNORE, "d", Strategy.HALT), flow -> {})
            .graph();
    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
    assertThat(Graph.parse(graph.json()).strategies())
        .isEqualTo(
            new Strategies(Strategy.CONTINUE, Map.of("a", Strategy.IGNORE, "d", Strategy.HALT)));
    assertThat(graph.isLenient()).isTrue();
  }

  @Test
  void theDefaultStrategyDoesNotChangeTheDefinition() {
    Graph silent = define(Strategy.HALT, Map.of(), flow -> {}).graph();
    Graph said = define(Strategy.HALT, Map.of("a", Strategy.HALT), flow -> {}).graph();
    assertThat(said.hash()).isEqualTo(silent.hash());
    assertThat(silent.json()).doesNotContain("strateg");
    assertThat(silent.isLenient()).isFalse();
    assertThat(define(Strategy.CONTINUE, Map.of(), flow -> {}).graph().hash())
        .isNotEqualTo(silent.hash());
  }

  @Test
  void anIgnoredStepSheltersItsDependentsOnly() {
    Graph graph = define(Strategy.HALT, Map.of("a", Strategy.IGNORE), flow -> {}).graph();
    assertThat(sheltered(graph, "a")).containsExactly("b", "c");
    assertThat(sheltered(graph, "d")).isEmpty();
    assertThat(graph.ignoredFailures().allow(graph.vertex("d"), List.of())).isTrue();
  }

  @Test
  void anIgnoredElementSheltersItsSiblings() {
    Graph graph = define(Strategy.HALT, Map.of("y", Strategy.IGNORE), flow -> {}).graph();
    assertThat(sheltered(graph, "y")).containsExactly("f", "x", "y", "z");
  }

  @Test
  void aPipelineWithoutHaltsNeedsNoShelter() {
    Graph graph = define(Strategy.CONTINUE, Map.of("a", Strategy.IGNORE), flow -> {}).graph();
    assertThat(graph.ignoredFailures().isEmpty()).isTrue();
  }

  private static List<String> sheltered(Graph graph, String failed) {
    IgnoredFailures ignoredFailures = graph.ignoredFailures();
    return graph.nodes().stream()
        .map(node -> node.key())
        .filter(key -> ignoredFailures.allow(graph.vertex(key), List.of(failed)))
        .toList();
  }

  @Test
  void aDivertCannotBeIgnored() {
    DefinitionException refused =
        catchThrowableOfType(
            DefinitionException.class,
            () ->
                define(
                    Strategy.HALT,
                    Map.of(),
                    flow ->
                        flow.input()
                            .divert("way", SAME)
                            .strategy(Strategy.IGNORE)
                            .on("left", node -> node)
                            .otherwise(node -> node)
                            .converge()));
    assertThat(refused.problems())
        .containsExactly(
            "the divert \"way\" cannot be ignored: without it no arm is taken; let it continue");
  }

  @Test
  void nestedExpandsNeedTheHaltStrategy() {
    DefinitionException refused =
        catchThrowableOfType(
            DefinitionException.class,
            () ->
                define(
                    Strategy.HALT,
                    Map.of("a", Strategy.IGNORE),
                    StrategyDefinitionTest::expandInManyWays));
    assertThat(refused.problems())
        .containsExactly(
            "the expand \"inside\" is inside another, and failures need not halt the run: expand"
                + " once, or let every failure halt");
  }

  @Test
  void theHaltStrategyAllowsEveryKindOfExpand() {
    Graph graph =
        define(
                Strategy.HALT,
                Map.of("a", Strategy.CONTINUE),
                StrategyDefinitionTest::expandInManyWays)
            .graph();
    assertThat(graph.isLenient()).isFalse();
    assertThat(graph.find("inside")).isNotNull();
  }

  private static void expandInManyWays(Flow<String> flow) {
    flow.input().expandStream("stream", String.class, text -> Stream.of(text));
    flow.input()
        .expand("outside", String.class, text -> List.of(text))
        .expand(
            "inside",
            String.class,
            text -> List.of(text),
            each -> each.collapse("together", String.class, list -> ""));
  }

  @Test
  void aStepIsDrawnWithItsOwnStrategy() {
    String drawn =
        define(Strategy.CONTINUE, Map.of("a", Strategy.IGNORE, "b", Strategy.CONTINUE), flow -> {})
            .toMermaid();
    assertThat(drawn).contains("[\"a (ignore)\"]").contains("[\"b\"]");
  }
}

package dev.standpipe.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphChangeTest {
  private static GraphNode node(String key, NodeKind kind, String... inputs) {
    return new GraphNode(key, kind, List.of(inputs), List.of());
  }

  private static Graph graph(String output, GraphNode... nodes) {
    List<GraphNode> all = new ArrayList<>(List.of(nodes));
    all.add(node(GraphNode.INPUT_KEY, NodeKind.INPUT));
    return Graph.of("orders", all, output);
  }

  private final Graph before =
      graph("b", node("a", NodeKind.STEP, "$input"), node("b", NodeKind.STEP, "a"));

  private List<String> problems(Graph now, Map<String, String> renamed) {
    return new GraphChange(before, now, renamed).problems();
  }

  @Test
  void addedNodesDoNotMatter() {
    Graph now =
        graph(
            "c",
            node("a", NodeKind.STEP, "$input"),
            node("b", NodeKind.STEP, "a"),
            node("c", NodeKind.STEP, "b"));
    assertThat(problems(now, Map.of())).isEmpty();
    assertThat(problems(before, Map.of())).isEmpty();
  }

  @Test
  void aMissingNodeMayHaveBeenRenamed() {
    Graph now =
        graph("b", node("first", NodeKind.STEP, "$input"), node("b", NodeKind.STEP, "first"));
    assertThat(problems(now, Map.of()))
        .containsExactly(
            "node \"a\" is missing, unless it was renamed",
            "node \"b\" had the values of [a] as input and has those of [first]");
    assertThat(problems(now, Map.of("a", "first"))).isEmpty();
    assertThat(problems(now, Map.of("a", "nowhere"))).contains("node \"a\" is missing").hasSize(2);
    assertThat(new GraphChange(before, now, Map.of("a", "first")).key("a")).isEqualTo("first");
  }

  @Test
  void aNodeKeepsItsKind() {
    Graph now = graph("b", node("a", NodeKind.EXPAND, "$input"), node("b", NodeKind.COLLAPSE, "a"));
    assertThat(problems(now, Map.of()))
        .containsExactly(
            "node \"a\" was a step and is an expand", "node \"b\" was a step and is a collapse");
  }

  @Test
  void aDivertKeepsItsArms() {
    Graph older = graph("b", divert("light", "heavy"), node("b", NodeKind.STEP, "$input"));
    Graph now = graph("b", divert("light", "medium"), node("b", NodeKind.STEP, "$input"));
    assertThat(new GraphChange(older, now, Map.of()).problems())
        .containsExactly("node \"d\" had the arms [light, heavy] and has [light, medium]");
  }

  private static GraphNode divert(String... arms) {
    return new GraphNode("d", NodeKind.DIVERT, List.of("$input"), List.of(), null, List.of(arms));
  }

  @Test
  void callbacksAndCompensationsMustRemain() {
    List<GraphNode> nodes = before.nodes();
    Graph told = followed(nodes, new EndCallbacks(List.of(EndCallback.ON_HALT), List.of()));
    Graph undone = followed(nodes, new EndCallbacks(List.of(EndCallback.COMPENSATE), List.of("a")));
    assertThat(new GraphChange(told, before, Map.of()).problems())
        .containsExactly("its callback onHalt is missing");
    assertThat(new GraphChange(undone, before, Map.of()).problems())
        .containsExactly(
            "its steps can be undone, which only the code of the very same graph does");
    assertThat(new GraphChange(undone, undone, Map.of()).problems()).isEmpty();
    assertThat(new GraphChange(before, told, Map.of()).problems()).isEmpty();
  }

  private static Graph followed(List<GraphNode> nodes, EndCallbacks endCallbacks) {
    return Graph.of("orders", nodes, "b", endCallbacks, Strategies.HALTING);
  }

  @Test
  void strategiesMayChange() {
    Strategies others = new Strategies(Strategy.CONTINUE, Map.of("a", Strategy.IGNORE));
    Graph lenient = Graph.of("orders", before.nodes(), "b", EndCallbacks.NONE, others);
    assertThat(new GraphChange(before, lenient, Map.of()).problems()).isEmpty();
    assertThat(new GraphChange(lenient, before, Map.of()).problems()).isEmpty();
  }
}

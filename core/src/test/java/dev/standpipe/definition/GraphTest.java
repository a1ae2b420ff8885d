package dev.standpipe.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.standpipe.Flow;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.StepFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class GraphTest {
  private static final StepFunction<String, String> SAME = text -> text;
  private static final Graph ORDERS = graph("orders", GraphTest::orders);

  @Test
  void aGraphReadBackFromItsJsonIsTheSame() {
    Graph parsed = Graph.parse(ORDERS.json());
    assertThat(parsed).isEqualTo(ORDERS).hasSameHashCodeAs(ORDERS);
    assertThat(parsed.json()).isEqualTo(ORDERS.json());
    assertThat(parsed.hash()).isEqualTo(ORDERS.hash());
    assertThat(parsed.pipeline()).isEqualTo("orders");
    assertThat(parsed.output()).isEqualTo("receipt");
    assertThat(parsed.nodes()).isEqualTo(ORDERS.nodes());
    assertThat(parsed.endNeed()).isEqualTo(ORDERS.endNeed());
    for (GraphNode node : ORDERS.nodes()) {
      assertThat(described(parsed.vertex(node.key())))
          .isEqualTo(described(ORDERS.vertex(node.key())));
    }
  }

  /** Runs in flight are found by the hash: a new version of the code may not change it. */
  @Test
  void theJsonAndItsHashStayTheSame() {
    assertThat(ORDERS.json())
        .isEqualTo(
            """
            {"pipeline":"orders","output":"receipt","nodes":[
            {"key":"$input","kind":"input","inputs":[]},
            {"key":"charge","kind":"step","inputs":["$input"]},
            {"key":"items","kind":"expand","inputs":["$input"]},
            {"key":"label","kind":"collapse","inputs":["pack"]},
            {"key":"pack","kind":"step","inputs":["items"]},
            {"key":"receipt","kind":"step","inputs":["label","$input"],"after":["charge"]}]}
            """
                .replace("\n", ""));
    assertThat(ORDERS.hash())
        .isEqualTo("4b3edf427b782bee7b390d4a0ba4fa162cd5634a0f20c2c5cb3b0314742eb266");
  }

  @Test
  void theOrderOfDeclarationDoesNotMatter() {
    List<GraphNode> nodes = new ArrayList<>(ORDERS.nodes());
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(nodes, new Random(seed));
      assertThat(Graph.of("orders", nodes, "receipt").hash()).isEqualTo(ORDERS.hash());
    }
    Graph reordered =
        graph(
            "orders",
            flow -> {
              Node<String> label = label(flow);
              Node<String> charge = flow.input().step("charge", String.class, SAME);
              return Node.join(label, flow.input())
                  .step("receipt", String.class, (a, b) -> a + b)
                  .after(charge, charge);
            });
    assertThat(reordered.hash()).isEqualTo(ORDERS.hash());
  }

  @Test
  void retriesTimeoutsTypesAndBodiesDoNotMatter() {
    Graph plain = graph("p", flow -> flow.input().step("a", String.class, SAME));
    Graph tuned =
        Pipeline.define(
                "p",
                Integer.class,
                Integer.class,
                flow ->
                    flow.input()
                        .step("a", Integer.class, (number, ctx) -> number + 1)
                        .retry(Retry.never())
                        .timeout(Duration.ofSeconds(1)))
            .graph();
    assertThat(tuned.hash()).isEqualTo(plain.hash());
  }

  @Test
  void namesKeysKindsEdgesAndTheResultDoMatter() {
    List<Graph> all =
        List.of(
            graph("p", flow -> chain(flow, "a", "b")),
            graph("other", flow -> chain(flow, "a", "b")),
            graph("p", flow -> chain(flow, "a", "c")),
            graph("p", flow -> chain(flow, "b", "a")),
            graph("p", flow -> sideBySide(flow).get(0)),
            graph("p", flow -> sideBySide(flow).get(1)),
            graph("p", flow -> oneAfterTheOther(flow)),
            graph(
                "p",
                flow ->
                    flow.input()
                        .expand("a", String.class, text -> List.of(text))
                        .collapse("b", String.class, texts -> texts.get(0))),
            graph("p", flow -> joined(flow, true)),
            graph("p", flow -> joined(flow, false)));
    assertThat(all).extracting(Graph::hash).doesNotHaveDuplicates();
    assertThat(all).extracting(Graph::hashCode).doesNotHaveDuplicates();
    assertThat(all.get(0)).isNotEqualTo(all.get(1)).isNotEqualTo(all.get(0).json());
    assertThat(all.get(0)).hasToString("p@" + all.get(0).hash().substring(0, 12));
  }

  @Test
  void nodesComeInTopologicalOrder() {
    List<Vertex> order = ORDERS.topological();
    assertThat(order).hasSameSizeAs(ORDERS.nodes()).first().isEqualTo(ORDERS.input());
    for (GraphNode node : ORDERS.nodes()) {
      int at = order.indexOf(ORDERS.vertex(node.key()));
      List<String> before = new ArrayList<>(node.inputs());
      before.addAll(node.after());
      assertThat(before).allMatch(key -> order.indexOf(ORDERS.vertex(key)) < at);
    }
  }

  @Test
  void elementStepsKnowTheirExpand() {
    Vertex items = ORDERS.vertex("items");
    assertThat(ORDERS.vertex("pack").scope()).isSameAs(items);
    assertThat(items.scope()).isNull();
    assertThat(ORDERS.vertex("label").scope()).isNull();
    assertThat(ORDERS.vertex("receipt").scope()).isNull();
  }

  @Test
  void aChainNeedsNoCounting() {
    Graph graph = graph("p", flow -> chain(flow, "a", "b"));
    assertThat(graph.input().isChained()).isTrue();
    assertThat(graph.vertex("a").isChained()).isTrue();
    assertThat(graph.vertex("b").isChained()).isFalse();
    assertThat(graph.vertex("b").links()).containsExactly(new Link(null, Link.Kind.DIRECT));
    assertThat(graph.endNeed()).isEqualTo(1);
  }

  @Test
  void theInputIsNotCountedBesideOtherDependencies() {
    assertThat(ORDERS.vertex("receipt").need()).isEqualTo(2);
    assertThat(ORDERS.vertex("receipt").inputs())
        .containsExactly(ORDERS.vertex("label"), ORDERS.input());
  }

  @Test
  void anUnknownKeyIsNamed() {
    assertThat(ORDERS.find("pack")).isSameAs(ORDERS.vertex("pack")).hasToString("pack");
    assertThat(ORDERS.find("nowhere")).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ORDERS.vertex("nowhere"))
        .withMessageContaining("nowhere")
        .withMessageContaining("orders");
  }

  @Test
  void aBrokenStoredGraphIsRefused() {
    String json = ORDERS.json();
    for (String bad :
        List.of(
            "{\"pipeline\":\"p\",\"output\":\"a\",\"nodes\":[]}",
            json.replace("\"inputs\":[\"$input\"]", "\"inputs\":[\"label\"]"),
            json.replace("\"output\":\"receipt\"", "\"output\":\"nowhere\""),
            json.replace("\"key\":\"charge\"", "\"key\":\"pack\""),
            json.replace("\"collapse\"", "\"explode\""))) {
      assertThat(bad).isNotEqualTo(json);
      assertThatIllegalArgumentException().as(bad).isThrownBy(() -> Graph.parse(bad));
    }
  }

  private static Node<String> orders(Flow<String> flow) {
    Node<String> charge = flow.input().step("charge", String.class, SAME);
    return Node.join(label(flow), flow.input())
        .step("receipt", String.class, (a, b) -> a + b)
        .after(charge);
  }

  private static Node<String> label(Flow<String> flow) {
    return flow.input()
        .expand("items", String.class, text -> List.of(text))
        .step("pack", String.class, SAME)
        .collapse("label", String.class, texts -> texts.get(0));
  }

  private static Node<String> chain(Flow<String> flow, String first, String second) {
    return flow.input().step(first, String.class, SAME).step(second, String.class, SAME);
  }

  private static List<Node<String>> sideBySide(Flow<String> flow) {
    return List.of(
        flow.input().step("a", String.class, SAME), flow.input().step("b", String.class, SAME));
  }

  private static Node<String> oneAfterTheOther(Flow<String> flow) {
    List<Node<String>> both = sideBySide(flow);
    return both.get(1).after(both.get(0));
  }

  private static Node<String> joined(Flow<String> flow, boolean swapped) {
    List<Node<String>> both = sideBySide(flow);
    return Node.join(both.get(swapped ? 1 : 0), both.get(swapped ? 0 : 1))
        .step("c", String.class, (one, two) -> one + two);
  }

  private static Graph graph(String name, Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define(name, String.class, String.class, wiring).graph();
  }

  private static String described(Vertex vertex) {
    return vertex.key()
        + vertex.kind()
        + vertex.ordinal()
        + vertex.inputs()
        + vertex.scope()
        + vertex.need()
        + vertex.links();
  }
}

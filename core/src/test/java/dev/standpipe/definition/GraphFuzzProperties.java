package dev.standpipe.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.standpipe.Garbage;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.StepFunction;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Whatever is stored as a graph: it is one, or an {@link IllegalArgumentException}. */
class GraphFuzzProperties {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final StepFunction<String, String> SAME = text -> text;
  private static final String JSON =
      Pipeline.define(
              "orders",
              String.class,
              String.class,
              flow -> {
                Node<String> charge = flow.input().step("charge", String.class, SAME);
                return flow.input()
                    .expand("items", String.class, text -> List.of(text))
                    .step("pack", String.class, SAME)
                    .collapse("label", String.class, texts -> texts.get(0))
                    .after(charge);
              })
          .graph()
          .json();

  @Property(tries = 2_000)
  void garbageIsReadOrRefused(@ForAll("garbage") String text) {
    readOrRefuse(text);
  }

  @Property(tries = 5_000)
  void aSpoiledGraphIsReadOrRefused(@ForAll long seed) {
    readOrRefuse(Garbage.spoil(JSON, seed));
  }

  @Property(tries = 40)
  void anyDepthIsParsedOrRefused(
      @ForAll @IntRange(min = 1, max = 200_000) int depth,
      @ForAll boolean closed,
      @ForAll boolean objects) {
    String deep = Garbage.nested(depth, closed, objects);
    readOrRefuse(deep);
    readOrRefuse(JSON.replace("\"$input\"]", deep + "]"));
  }

  private static void readOrRefuse(String text) {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          try {
            Graph graph = Graph.parse(text);
            assertThat(Graph.parse(graph.json())).isEqualTo(graph);
          } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("This is not the stored graph of a pipeline");
          }
        });
  }

  @Provide
  Arbitrary<String> garbage() {
    return Garbage.text();
  }
}

package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Sequel;
import dev.standpipe.definition.SequelGraphs;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbackDefinitionTest {
  private static Pipeline<String, String> withCallbacks() {
    return Pipeline.define(
        "mailing",
        String.class,
        String.class,
        flow -> {
          flow.onComplete(end -> {});
          flow.onSuccess((end, ctx) -> {});
          return flow.input().step("send", String.class, text -> text);
        });
  }

  @Test
  void callbacksArePartOfTheDefinition() {
    Graph graph = withCallbacks().graph();
    assertThat(graph.sequels().all()).containsExactly(Sequel.ON_SUCCESS, Sequel.ON_COMPLETE);
    Graph stored = Graph.parse(graph.json());
    assertThat(stored).isEqualTo(graph);
    assertThat(stored.sequels()).isEqualTo(graph.sequels());
  }

  @Test
  void theHiddenPipelinesFollowFromTheGraphAlone() {
    Pipeline<String, String> pipeline = withCallbacks();
    List<Graph> served = pipeline.sequels().stream().<Graph>map(Pipeline::graph).toList();
    List<Graph> derived =
        pipeline.graph().sequels().all().stream()
            .map(sequel -> SequelGraphs.of(pipeline.graph(), sequel))
            .toList();
    assertThat(served).containsExactlyInAnyOrderElementsOf(derived);
    assertThat(derived)
        .extracting(Graph::pipeline)
        .containsExactly("mailing$onSuccess", "mailing$onComplete");
  }

  @Test
  void callbacksAreDrawn() {
    assertThat(withCallbacks().toMermaid())
        .contains("result -.-> onSuccess[[onSuccess]]", "result -.-> onComplete[[onComplete]]");
  }

  @Test
  void severalOfOneKindAreRefused() {
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    "mailing",
                    String.class,
                    String.class,
                    flow -> {
                      flow.onHalt(end -> {});
                      flow.onHalt(end -> {});
                      return flow.input().step("send", String.class, text -> text);
                    }))
        .withMessageContaining("it has several onHalt: give one, which may do several things");
  }

  @Test
  void aPipelineCannotBeNamedLikeAHiddenOne() {
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    Sequel.ON_HALT.of("mailing"),
                    String.class,
                    String.class,
                    flow -> flow.input().step("send", String.class, text -> text)))
        .withMessageContaining("is not valid");
  }
}

package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.EndCallbackGraphs;
import dev.standpipe.definition.Graph;
import dev.standpipe.error.DefinitionException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequelDefinitionTest {
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
    assertThat(graph.endCallbacks().all())
        .containsExactly(EndCallback.ON_SUCCESS, EndCallback.ON_COMPLETE);
    Graph stored = Graph.parse(graph.json());
    assertThat(stored).isEqualTo(graph);
    assertThat(stored.endCallbacks()).isEqualTo(graph.endCallbacks());
  }

  @Test
  void theHiddenPipelinesFollowFromTheGraphAlone() {
    Pipeline<String, String> pipeline = withCallbacks();
    List<Graph> served = pipeline.endCallbacks().stream().<Graph>map(Pipeline::graph).toList();
    List<Graph> derived =
        pipeline.graph().endCallbacks().all().stream()
            .map(endCallback -> EndCallbackGraphs.of(pipeline.graph(), endCallback))
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
  void duplicateCallbacksAreRefused() {
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
  void aPipelineCannotTakeAHiddenName() {
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    EndCallback.ON_HALT.of("mailing"),
                    String.class,
                    String.class,
                    flow -> flow.input().step("send", String.class, text -> text)))
        .withMessageContaining("is not valid");
  }

  private static Pipeline<String, String> compensated() {
    return Pipeline.define(
        "trip",
        String.class,
        String.class,
        flow -> {
          Node<String> flight =
              flow.input().step("flight", String.class, text -> text).compensate(booked -> {});
          flight
              .expand("rooms", String.class, text -> List.of(text))
              .step("room", String.class, text -> text)
              .compensate((booked, ctx) -> {});
          return flight.step("pay", String.class, text -> text).compensate(paid -> {});
        });
  }

  @Test
  void aCompensationUndoesTheLastStepFirst() {
    Pipeline<String, String> pipeline = compensated();
    Graph hidden = EndCallbackGraphs.of(pipeline.graph(), EndCallback.COMPENSATE);
    assertThat(hidden.pipeline()).isEqualTo("trip$compensate");
    assertThat(hidden.output()).isEqualTo("flight");
    assertThat(hidden.topological())
        .extracting(vertex -> vertex.key())
        .containsExactlyInAnyOrder("$input", "pay", "room$each", "room", "room$all", "flight");
    assertThat(hidden.vertex("room").scope()).isEqualTo(hidden.vertex("room$each"));
    assertThat(pipeline.endCallbacks()).extracting(Pipeline::graph).containsExactly(hidden);
    assertThat(Graph.parse(pipeline.graph().json()).endCallbacks().compensated())
        .containsExactly("flight", "pay", "room");
    assertThat(pipeline.toMermaid()).contains("-. compensate .-> u1([\"undo flight\"])");
  }

  @Test
  void onlyStepsCanBeCompensated() {
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    "odd",
                    String.class,
                    String.class,
                    flow -> {
                      flow.input().compensate(text -> {});
                      Each<String> each =
                          flow.input().expand("split", String.class, text -> List.of(text));
                      each.compensate(text -> {});
                      return flow.input()
                          .divert("way", text -> "a")
                          .on("a", node -> node)
                          .orHalt()
                          .converge()
                          .compensate(text -> {});
                    }))
        .withMessageContaining("the input has no body")
        .withMessageContaining("\"split\" has nothing to undo: put compensate on a step")
        .withMessageContaining("\"way:converge\" has nothing to undo");
  }
}

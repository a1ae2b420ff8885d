package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MermaidTest {
  @Test
  void theOrderPipelineIsDrawn() {
    assertThat(OrderPipeline.define().toMermaid())
        .isEqualTo(
            """
            flowchart TD
              n0([input])
              n1["charge"]
              n2[/"items"\\]
              n3["pack"]
              n4[\\"label"/]
              n5["receipt"]
              n0 --> n1
              n0 --> n2
              n2 --> n3
              n3 --> n4
              n1 --> n5
              n4 --> n5
              n5 --> result([result])
              n1 -. compensate .-> u1(["undo charge"])
            """);
  }

  @Test
  void nestedExpandsAreDrawn() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "inside",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("words", String.class, text -> List.of(text.split(" ")))
                    .expand(
                        "letters",
                        String.class,
                        word -> List.of(word.split("")),
                        letter -> letter.collapse("word", String.class, List::toString))
                    .collapse("all", String.class, List::toString));
    assertThat(pipeline.toMermaid())
        .isEqualTo(
            """
            flowchart TD
              n0([input])
              n1[/"words"\\]
              n2[/"letters"\\]
              n3[\\"word"/]
              n4[\\"all"/]
              n0 --> n1
              n1 --> n2
              n2 --> n3
              n3 --> n4
              n4 --> result([result])
            """);
  }

  @Test
  void orderWithoutDataIsDrawnDotted() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "ordered",
            String.class,
            String.class,
            flow -> {
              Node<String> first = flow.input().step("first", String.class, text -> text);
              return flow.input().step("second", String.class, text -> text).after(first);
            });
    assertThat(pipeline.toMermaid()).contains("  n0 --> n2\n").contains("  n1 -.-> n2\n");
  }

  @Test
  void aDivertIsDrawnWithItsArms() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "diverted",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .divert("way", text -> text)
                    .on("a", node -> node.step("x", String.class, text -> text))
                    .otherwise(node -> node)
                    .converge());
    assertThat(pipeline.toMermaid())
        .isEqualTo(
            """
            flowchart TD
              n0([input])
              n1{"way"}
              n2["x"]
              n3{{"way:converge"}}
              n0 --> n1
              n1 -->|a| n2
              n2 --> n3
              n1 -->|otherwise| n3
              n3 --> result([result])
            """);
  }
}

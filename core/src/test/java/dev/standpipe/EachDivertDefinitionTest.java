package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.DefinitionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EachDivertDefinitionTest {
  private static final StepFunction<String, String> SAME = text -> text;

  private static Each<String> words(Flow<String> flow) {
    return flow.input().expand("words", String.class, text -> List.of(text));
  }

  private static Node<String> collapse(Each<String> each) {
    return each.collapse("all", String.class, all -> "");
  }

  @Test
  void armsForElementsAreDrawnAndReadBack() {
    Pipeline<String, String> pipeline =
        define(
            flow ->
                collapse(
                    words(flow)
                        .divert("way", SAME)
                        .on("a", each -> each.step("x", String.class, SAME))
                        .otherwise(each -> each)
                        .converge()));
    assertThat(pipeline.toMermaid())
        .contains("n1 --> n2", "n2 -->|a| n3", "n3 --> n4", "n2 -->|otherwise| n4", "n4 --> n5");
    Graph graph = pipeline.graph();
    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
    assertThat(graph.vertex("way:converge").scope()).isEqualTo(graph.vertex("words"));
    assertThat(graph.vertex("all").isUncertain()).as("some value comes of each element").isFalse();
    assertThat(graph.vertex("all").need()).isEqualTo(1);
  }

  @Test
  void stepsOnAnArmMustBelongToItsElements() {
    assertThat(
            problems(
                flow ->
                    collapse(
                        words(flow)
                            .divert("way", SAME)
                            .on(
                                "a",
                                each -> {
                                  flow.input().step("once", String.class, SAME);
                                  flow.barrier("parted");
                                  return each;
                                })
                            .otherwise(each -> each)
                            .converge())))
        .contains(
            "step \"once\" on an arm of \"way\" is not for the elements that take it: wire it outside of the arm",
            "step \"parted\" on an arm of \"way\" is not for the elements that take it: wire it outside of the arm");
  }

  @Test
  void anArmEndsWithAValueOfItsElements() {
    assertThat(
            problems(
                flow -> {
                  Each<String> others =
                      flow.input().expand("others", String.class, text -> List.of(text));
                  return collapse(
                      words(flow)
                          .divert("way", SAME)
                          .on("a", each -> others)
                          .otherwise(each -> each)
                          .converge());
                }))
        .containsExactly(
            "the arm \"a\" of \"way\" does not end where it began: end it with a value of what was diverted");
  }

  @Test
  void valuesOfAnArmAreNotUsedOutsideIt() {
    List<Each<String>> inside = new ArrayList<>();
    assertThat(
            problems(
                flow -> {
                  Each<String> converged =
                      words(flow)
                          .divert("way", SAME)
                          .on(
                              "a",
                              each -> {
                                inside.add(each.step("x", String.class, SAME));
                                return inside.get(0);
                              })
                          .otherwise(each -> each)
                          .converge();
                  inside.get(0).step("y", String.class, SAME);
                  inside.get(0).collapse("some", String.class, all -> "");
                  return collapse(converged);
                }))
        .containsExactly(
            "step \"y\" uses \"x\", which only those elements have that take the arm \"a\" of \"way\": use it on that arm, or converge the arms first",
            "step \"some\" uses \"x\", which only those elements have that take the arm \"a\" of \"way\": use it on that arm, or converge the arms first");
  }

  @Test
  void armsOfElementsAreChecked() {
    assertThat(
            problems(
                flow -> {
                  words(flow).divert("open", SAME).on("a", each -> each);
                  return collapse(
                      words(flow)
                          .step("s", String.class, SAME)
                          .divert("way", SAME)
                          .on("a", each -> each)
                          .on("a", each -> each)
                          .on("not good", each -> each)
                          .converge());
                }))
        .contains(
            "the divert \"open\" is not converged: end its arms with converge()",
            "the divert \"way\" has no otherwise: add one, or say orHalt()",
            "the divert \"way\" has several arms \"a\"");
    assertThatThrownBy(
            () ->
                define(
                    flow -> {
                      words(flow).divert("way", SAME).<String>on("a", each -> null);
                      return flow.input();
                    }))
        .hasMessageContaining("The arm \"a\" of \"way\" ends with null, not a node");
  }

  @Test
  void anInnerCollapseMayDivertPerOuterElement() {
    Graph graph =
        define(
                flow ->
                    collapse(
                        words(flow)
                            .expand(
                                "letters",
                                String.class,
                                text -> List.of(text),
                                letter ->
                                    letter
                                        .collapse("word", String.class, all -> "")
                                        .divert("way", SAME)
                                        .on("a", node -> node.step("x", String.class, SAME))
                                        .otherwise(node -> node)
                                        .converge())))
            .graph();
    assertThat(graph.vertex("x").scope()).isEqualTo(graph.vertex("words"));
    assertThat(graph.vertex("way:converge").isUncertain()).isTrue();
  }

  @Test
  void elementsDoNotDivertWhereFailuresNeedNotHalt() {
    assertThat(
            problems(
                flow -> {
                  flow.strategy(Strategy.CONTINUE);
                  return collapse(
                      words(flow)
                          .divert("way", SAME)
                          .on("a", each -> each)
                          .otherwise(each -> each)
                          .converge());
                }))
        .containsExactly(
            "the divert \"way\" is for each element, and failures need not halt the run: divert before the expand, or let every failure halt");
  }

  private static Pipeline<String, String> define(Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define("bad", String.class, String.class, wiring);
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return catchThrowableOfType(DefinitionException.class, () -> define(wiring)).problems();
  }
}

package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.definition.Graph;
import dev.standpipe.error.DefinitionException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DivertDefinitionTest {
  private static final StepFunction<String, String> SAME = value -> value;

  private static Divert<String> divert(Flow<String> flow) {
    return flow.input().divert("way", SAME);
  }

  @Test
  void aDivertNeedsAConvergeAndAnOtherwise() {
    assertThat(
            problems(
                flow -> {
                  divert(flow).on("a", node -> node);
                  return flow.input().step("end", String.class, SAME);
                }))
        .containsExactly(
            "the divert \"way\" is not converged: end its arms with converge()",
            "the divert \"way\" has no otherwise: add one, or say orHalt()");
  }

  @Test
  void orHaltNeedsNoOtherwise() {
    assertThat(define(flow -> divert(flow).on("a", node -> node).orHalt().converge()).name())
        .isEqualTo("bad");
  }

  @Test
  void anArmIsWiredOnceAndHasAName() {
    assertThat(
            problems(
                flow ->
                    divert(flow)
                        .on("a", node -> node)
                        .on("a", node -> node)
                        .on("b c", node -> node)
                        .otherwise(node -> node)
                        .otherwise(node -> node)
                        .converge()))
        .containsExactlyInAnyOrder(
            "the divert \"way\" has several arms \"a\"",
            "the divert \"way\" has several arms \"otherwise\"",
            "the arm \"b c\" of \"way\" is not valid: use 1 to 100 letters, digits and . _ : / - , starting with a letter or digit");
  }

  @Test
  void armsOfDifferentTypesNeedTheirCommonType() {
    Function<Flow<String>, Divert.Arms<String, Object>> arms =
        flow ->
            divert(flow)
                .<Object>on("a", node -> node.step("n", Object.class, text -> 1))
                .otherwise(node -> node.step("s", String.class, SAME));
    assertThat(problems(flow -> arms.apply(flow).converge().step("z", String.class, x -> "" + x)))
        .containsExactly(
            "the arms of \"way\" end with different types: give converge(…) their common type");
    assertThat(
            define(
                    flow ->
                        arms.apply(flow)
                            .converge(Object.class)
                            .step("z", String.class, x -> "" + x))
                .step("way:converge")
                .orElseThrow()
                .type()
                .type())
        .isEqualTo(Object.class);
  }

  @Test
  void theResultIsNotOnAnArm() {
    assertThat(
            problems(
                flow -> {
                  Node<String>[] inside = nodes();
                  divert(flow)
                      .on("a", node -> inside[0] = node.step("x", String.class, SAME))
                      .otherwise(node -> node)
                      .converge();
                  return inside[0];
                }))
        .containsExactly(
            "the result \"x\" is on an arm of the divert \"way\" and may be skipped: return a node after the converge");
  }

  @Test
  void anArmCannotUseStepsOfAnotherArm() {
    assertThat(
            problems(
                flow -> {
                  Node<String>[] inside = nodes();
                  return divert(flow)
                      .on("a", node -> inside[0] = node.step("x", String.class, SAME))
                      .otherwise(
                          node ->
                              Node.join(node, inside[0])
                                  .step("y", String.class, (one, other) -> one))
                      .converge();
                }))
        .containsExactly(
            "step \"y\" depends on \"x\" of another arm of the divert \"way\", which is skipped whenever it runs");
  }

  @Test
  void stepsOnAnArmComeAfterTheirDivert() {
    assertThat(
            problems(
                flow -> {
                  Node<String> first = flow.input().step("first", String.class, SAME);
                  return first
                      .divert("way", SAME)
                      .on(
                          "a",
                          node -> {
                            Node<String> x = flow.input().step("x", String.class, SAME);
                            first.after(x);
                            return x;
                          })
                      .otherwise(node -> node)
                      .converge();
                }))
        .containsExactly("there is a cycle: first -> way -> x -> first; remove one of these edges");
  }

  @Test
  void aDivertConvergesOnItsOwnArm() {
    assertThat(
            problems(
                flow -> {
                  Divert.Arms<String, String> outer =
                      flow.input().divert("outer", SAME).on("a", node -> node);
                  return divert(flow)
                      .on("b", node -> outer.otherwise(other -> other).converge())
                      .otherwise(node -> node)
                      .converge();
                }))
        .containsExactly(
            "the divert \"outer\" is converged on another arm: converge it where it is diverted");
  }

  @Test
  void outsideElementsCannotRunOnAnArm() {
    assertThat(
            problems(
                flow -> {
                  Each<String> letters =
                      flow.input().expand("e", String.class, text -> List.of(text));
                  return divert(flow)
                      .on(
                          "a",
                          node ->
                              letters
                                  .step("each", String.class, SAME)
                                  .collapse("c", String.class, all -> ""))
                      .otherwise(node -> node)
                      .converge();
                }))
        .containsExactly(
            "step \"each\" on an arm of \"way\" runs for each element of an expand outside of it: put the expand on the arm");
  }

  @Test
  void anArmEndingInAnotherPipelineIsRefused() {
    Node<String>[] foreign = nodes();
    define(flow -> foreign[0] = flow.input().step("foreign", String.class, SAME));
    assertThat(
            problems(flow -> divert(flow).on("a", node -> foreign[0]).otherwise(n -> n).converge()))
        .containsExactly(
            "step \"way:converge\" depends on \"foreign\" of another pipeline: use only nodes made from this flow's input");
  }

  @Test
  void aDivertGraphReadsBackUnchanged() {
    Graph graph =
        define(
                flow ->
                    divert(flow)
                        .on("a", node -> node.step("x", String.class, SAME))
                        .otherwise(node -> node)
                        .converge())
            .graph();
    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
    assertThat(graph.json())
        .contains("\"arm\":{\"divert\":\"way\",\"name\":\"a\"}", "\"arms\":[\"a\",\"otherwise\"]");
  }

  @SuppressWarnings("unchecked")
  private static Node<String>[] nodes() {
    return (Node<String>[]) new Node<?>[1];
  }

  private static Pipeline<String, String> define(Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define("bad", String.class, String.class, wiring);
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return catchThrowableOfType(DefinitionException.class, () -> define(wiring)).problems();
  }
}

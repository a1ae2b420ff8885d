package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.DefinitionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ExpandInsideDefinitionTest {
  private static final StepFunction<String, List<String>> LETTERS = text -> List.of(text.split(""));
  private static final StepFunction<List<String>, String> JOIN = texts -> String.join("", texts);

  private static Pipeline<String, String> define(Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define("inside", String.class, String.class, wiring);
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return catchThrowableOfType(DefinitionException.class, () -> define(wiring)).problems();
  }

  private static Pipeline<String, String> twoLevels(int limit) {
    return define(
        flow ->
            flow.input()
                .expand("words", String.class, LETTERS)
                .expand(
                    "letters",
                    String.class,
                    LETTERS,
                    letter -> letter.limit(limit).collapse("word", String.class, JOIN))
                .collapse("all", String.class, JOIN));
  }

  /** What is inside is numbered by it, so another limit is another graph. */
  @Test
  void anInnerExpandsLimitBelongsToTheGraph() {
    Graph graph = twoLevels(7).graph();
    assertThat(graph).isNotEqualTo(twoLevels(8).graph());
    assertThat(graph.nodes())
        .filteredOn(node -> node.width() > 0)
        .extracting(GraphNode::key, GraphNode::width)
        .containsExactly(tuple("letters", 7));
    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
    assertThat(Graph.parse(graph.json()).vertex("letters").lastElement(2)).isEqualTo(20);
  }

  @Test
  void nestedLimitsMustFitTheIndexRange() {
    assertThat(twoLevels(21_474).name()).isEqualTo("inside");
    assertThat(catchThrowableOfType(DefinitionException.class, () -> twoLevels(21_475)).problems())
        .containsExactly(
            "the limits of the expand \"letters\" and of those around it multiply to more than"
                + " 2147483647: lower them with limit(…)");
  }

  @Test
  void anInnerExpandEndsWithOneValuePerElement() {
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .expand("words", String.class, LETTERS)
                        .expand("letters", String.class, LETTERS, letter -> flow.input())
                        .collapse("all", String.class, JOIN)))
        .contains(
            "what is inside of the expand \"letters\" does not end with one value for each element"
                + " outside: end it with a collapse");
  }

  @Test
  void valuesOfSingleElementsAreNotJoinedOrOrdered() {
    assertThat(
            problems(
                flow -> {
                  Node<String> other = flow.input().step("other", String.class, text -> text);
                  return flow.input()
                      .expand("words", String.class, LETTERS)
                      .expand(
                          "letters",
                          String.class,
                          LETTERS,
                          letter -> {
                            Node<String> word = letter.collapse("word", String.class, JOIN);
                            Node.join(word, other).step("both", String.class, (a, b) -> a + b);
                            return word.step("late", String.class, text -> text).after(other);
                          })
                      .collapse("all", String.class, JOIN);
                }))
        .contains(
            "step \"both\" brings together values of single elements: collapse them first",
            "step \"late\" comes after others for a single element: only what runs once can");
  }

  @Test
  void theResultCannotBeAnElement() {
    assertThat(
            problems(
                flow -> {
                  List<Node<String>> words = new ArrayList<>();
                  flow.input()
                      .expand("words", String.class, LETTERS)
                      .expand(
                          "letters",
                          String.class,
                          LETTERS,
                          letter -> {
                            words.add(letter.collapse("word", String.class, JOIN));
                            return words.get(0);
                          });
                  return words.get(0);
                }))
        .containsExactly("the result \"word\" is one for each element: collapse them first");
  }
}

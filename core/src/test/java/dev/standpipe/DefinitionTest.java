package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionTest {
  private static final StepFunction<String, String> SAME = value -> value;

  @Test
  void aPipelineNeedsAStep() {
    assertThat(problems(Flow::input))
        .containsExactly("it has no steps: add at least one to flow.input()");
  }

  @Test
  void theResultCannotBeTheInput() {
    assertThat(
            problems(
                flow -> {
                  flow.input().step("aside", String.class, SAME);
                  return flow.input();
                }))
        .containsExactly(
            "the result is the input itself: return the node whose value is the run's result");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-a", "$input", "a b", "a\nb", "a\"b", "ä", "a\0", "a\n"})
  void aNameOrKeyWithInvalidCharactersIsRefused(String bad) {
    String rule =
        " is not valid: use 1 to 100 letters, digits and . _ : / - , starting with a letter or digit";
    assertThat(problems(bad, flow -> flow.input().step("a", String.class, SAME)))
        .containsExactly("the name \"" + bad + "\"" + rule);
    assertThat(problems(flow -> flow.input().step(bad, String.class, SAME)))
        .containsExactly("the key \"" + bad + "\"" + rule);
  }

  @Test
  void aNameOfUpToOneHundredCharactersIsFine() {
    String longest = "a".repeat(100);
    assertThat(define(longest, flow -> flow.input().step(longest, String.class, SAME)).name())
        .isEqualTo(longest);
    assertThat(problems(flow -> flow.input().step(longest + "a", String.class, SAME))).hasSize(1);
  }

  @Test
  void aKeyUsedThreeTimesIsReportedOnce() {
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .step("twin", String.class, SAME)
                        .step("twin", String.class, SAME)
                        .step("twin", String.class, SAME)))
        .containsExactly("several nodes have the key \"twin\": give each its own");
  }

  @Test
  void aCycleIsReportedWithItsPath() {
    assertThat(
            problems(
                flow -> {
                  Node<String> first = flow.input().step("first", String.class, SAME);
                  Node<String> second = first.step("second", String.class, SAME);
                  Node<String> third = second.step("third", String.class, SAME);
                  first.after(third);
                  return third.step("downstream", String.class, SAME);
                }))
        .containsExactly(
            "there is a cycle: first -> second -> third -> first; remove one of these edges");
  }

  @Test
  void aStepAfterItselfIsACycle() {
    assertThat(
            problems(
                flow -> {
                  Node<String> alone = flow.input().step("alone", String.class, SAME);
                  return alone.after(alone);
                }))
        .containsExactly("there is a cycle: alone -> alone; remove one of these edges");
  }

  @Test
  void aCycleThroughACollapseIsFound() {
    assertThat(
            problems(
                flow -> {
                  Node<String> start = flow.input().step("start", String.class, SAME);
                  Node<String> all =
                      start
                          .expand("split", String.class, text -> List.of(text))
                          .step("each", String.class, SAME)
                          .collapse("all", String.class, texts -> texts.get(0));
                  start.after(all);
                  return all;
                }))
        .containsExactly(
            "there is a cycle: start -> split -> each -> all -> start; remove one of these edges");
  }

  @Test
  void aNodeOfAnotherPipelineIsRefused() {
    Node<String> stranger = stranger();
    String expected =
        "step \"own\" depends on \"stranger\" of another pipeline: use only nodes made from this"
            + " flow's input";
    assertThat(problems(flow -> flow.input().step("own", String.class, SAME).after(stranger)))
        .containsExactly(expected);
    assertThat(
            problems(
                flow ->
                    Node.join(flow.input(), stranger).step("own", String.class, (a, b) -> a + b)))
        .containsExactly(expected);
  }

  @Test
  void aResultOfAnotherPipelineIsRefused() {
    Node<String> stranger = stranger();
    assertThat(
            problems(
                flow -> {
                  flow.input().step("own", String.class, SAME);
                  return stranger;
                }))
        .containsExactly(
            "the result \"stranger\" is a node of another pipeline: return one of this flow");
  }

  @Test
  void theInputTakesNoSettings() {
    String expected =
        "the input has no body: put retry, timeout, delay, strategy and after on a step";
    assertThat(problems(flow -> flow.input().retry(Retry.never()).step("a", String.class, SAME)))
        .containsExactly(expected);
    assertThat(
            problems(
                flow -> flow.input().timeout(Duration.ofSeconds(1)).step("a", String.class, SAME)))
        .containsExactly(expected);
    assertThat(
            problems(
                flow -> flow.input().delay(Duration.ofSeconds(1)).step("a", String.class, SAME)))
        .containsExactly(expected);
    assertThat(problems(flow -> flow.input().after().step("a", String.class, SAME)))
        .containsExactly(expected);
  }

  @Test
  void joiningNothingIsRefused() {
    DefinitionException refusal =
        refusal(
            "totals",
            flow -> Node.<String>all(List.of()).step("sum", String.class, none -> "nothing"));
    assertThat(refusal.problems())
        .containsExactly("step \"sum\" joins nothing: give Node.all at least one node");
    assertThat(refusal).hasMessageContaining("\"totals\"");
  }

  @Test
  void aJoinOfNothingKeepsTheEarlierProblems() {
    assertThat(
            problems(
                "bad name",
                flow -> {
                  flow.input().step("a", String.class, SAME).step("a", String.class, SAME);
                  return Node.<String>all(List.of()).step("sum", String.class, none -> "nothing");
                }))
        .hasSize(3)
        .anyMatch(problem -> problem.contains("\"bad name\""))
        .anyMatch(problem -> problem.contains("several nodes have the key \"a\""))
        .anyMatch(problem -> problem.contains("joins nothing"));
  }

  @Test
  void allProblemsAreReportedTogether() {
    DefinitionException refusal =
        refusal(
            "bad name",
            flow -> {
              Node<String> first = flow.input().step("first!", String.class, SAME);
              Node<String> second = first.step("twin", String.class, SAME);
              second.step("twin", String.class, SAME);
              first.after(second);
              flow.input().retry(Retry.never());
              return flow.input();
            });
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_DEFINITION);
    assertThat(refusal.code().isRetryable()).isFalse();
    assertThat(refusal.problems())
        .hasSize(6)
        .anyMatch(problem -> problem.startsWith("the name \"bad name\""))
        .anyMatch(problem -> problem.startsWith("the key \"first!\""))
        .anyMatch(problem -> problem.startsWith("several nodes have the key \"twin\""))
        .anyMatch(problem -> problem.startsWith("the input has no body"))
        .anyMatch(problem -> problem.startsWith("the result is the input itself"))
        .anyMatch(problem -> problem.startsWith("there is a cycle: first! -> twin -> first!"));
    assertThat(refusal.getMessage().lines().toList())
        .hasSize(7)
        .first()
        .isEqualTo("Pipeline \"bad name\" has 6 problems:");
  }

  @Test
  void nothingCanBeWiredOnceThePipelineIsDefined() {
    List<Node<String>> nodes = new ArrayList<>();
    List<Each<String>> each = new ArrayList<>();
    define(
        "done",
        flow -> {
          nodes.add(flow.input());
          nodes.add(flow.input().step("a", String.class, SAME));
          each.add(nodes.get(1).expand("split", String.class, text -> List.of(text)));
          return nodes.get(1);
        });
    Node<String> input = nodes.get(0);
    Node<String> a = nodes.get(1);

    refuses(() -> input.step("late", String.class, SAME));
    refuses(() -> a.expand("late", String.class, text -> List.of(text)));
    refuses(() -> each.get(0).step("late", String.class, SAME));
    refuses(() -> each.get(0).collapse("late", String.class, texts -> texts.get(0)));
    refuses(() -> Node.join(input, a).step("late", String.class, (one, two) -> one));
    refuses(() -> Node.all(nodes).step("late", String.class, all -> "all"));
    refuses(() -> a.after(input));
    refuses(() -> a.retry(Retry.never()));
    refuses(() -> a.timeout(Duration.ofSeconds(1)));
    refuses(() -> each.get(0).retry(Retry.never()));
    refuses(() -> each.get(0).timeout(Duration.ofSeconds(1)));
  }

  @Test
  void aTimeoutIsLongerThanZeroAndNotForever() {
    List<Duration> wrong =
        List.of(Duration.ZERO, Duration.ofMillis(-1), ChronoUnit.FOREVER.getDuration());
    for (Duration bad : wrong) {
      assertThatThrownBy(
              () -> define("p", flow -> flow.input().step("a", String.class, SAME).timeout(bad)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(bad.toString());
    }
  }

  @Test
  void aDelayIsNeitherNegativeNorForever() {
    for (Duration bad : List.of(Duration.ofMillis(-1), ChronoUnit.FOREVER.getDuration())) {
      assertThatThrownBy(() -> define("p", flow -> flow.input().delay("d", bad)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(bad.toString());
    }
  }

  @Test
  void aDelayIsANode() {
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .delay("same", Duration.ofMinutes(1))
                        .delayUntil("same", text -> Instant.EPOCH)))
        .containsExactly("several nodes have the key \"same\": give each its own");
    assertThat(define("p", flow -> flow.input().delay("pause", Duration.ZERO)).toMermaid())
        .contains("n1>\"pause\"]", "n0 --> n1");
  }

  @Test
  void anExceptionInTheWiringReachesTheCaller() {
    IllegalStateException mine = new IllegalStateException("mine");
    assertThatThrownBy(
            () ->
                define(
                    "p",
                    flow -> {
                      throw mine;
                    }))
        .isSameAs(mine);
  }

  private static void refuses(Runnable wiring) {
    assertThatThrownBy(wiring::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already defined");
  }

  private static Node<String> stranger() {
    List<Node<String>> elsewhere = new ArrayList<>();
    define(
        "other",
        flow -> {
          elsewhere.add(flow.input().step("stranger", String.class, SAME));
          return elsewhere.get(0);
        });
    return elsewhere.get(0);
  }

  private static Pipeline<String, String> define(
      String name, Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define(name, String.class, String.class, wiring);
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return problems("fine", wiring);
  }

  private static List<String> problems(String name, Function<Flow<String>, Node<String>> wiring) {
    return refusal(name, wiring).problems();
  }

  private static DefinitionException refusal(
      String name, Function<Flow<String>, Node<String>> wiring) {
    DefinitionException refusal =
        catchThrowableOfType(DefinitionException.class, () -> define(name, wiring));
    assertThat(refusal).as("the definition is refused").isNotNull();
    return refusal;
  }
}

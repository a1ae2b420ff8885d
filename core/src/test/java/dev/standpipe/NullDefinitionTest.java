package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is null is among the problems, and none of them hides the others. */
class NullDefinitionTest {
  private static final StepFunction<String, String> SAME = value -> value;

  @Test
  void everyNullArgumentOfAStepIsListed() {
    assertThat(
            problems(
                flow -> {
                  flow.input().step(null, String.class, SAME);
                  flow.input().step("untyped", (Class<String>) null, SAME);
                  flow.input().step("untoken", (TypeToken<String>) null, SAME);
                  flow.input().step("idle", (Effect<String>) null);
                  return flow.input()
                      .step("empty", String.class, (StepFunction<String, String>) null)
                      .retry(null)
                      .timeout(null)
                      .delay((Duration) null)
                      .strategy(null)
                      .after((Node<?>) null)
                      .compensate((Effect<String>) null);
                }))
        .containsExactly(
            "a node (step) has no key: give it one",
            "\"untyped\" has no type: say of which its value is",
            "\"untoken\" has no type: say of which its value is",
            "\"idle\" has no body: null is none",
            "\"empty\" has no body: null is none",
            "\"empty\" is given null by retry(…): leave it out, or say what",
            "\"empty\" is given null by timeout(…): leave it out, or say what",
            "\"empty\" is given null by delay(…): leave it out, or say what",
            "\"empty\" is given null by strategy(…): leave it out, or say what",
            "\"empty\" is given null by after(…): leave it out, or say what",
            "\"empty\" is given null by compensate(…): leave it out, or say what");
  }

  @Test
  void noNodeTakesANullBody() {
    assertThat(
            problems(
                flow -> {
                  Node<String> in = flow.input();
                  in.expandStream(
                      "stream",
                      String.class,
                      (StepBody<String, java.util.stream.Stream<String>>) null);
                  in.expandFrom("source", String.class, null);
                  in.delayUntil("until", null);
                  flow.onSuccess((Effect<RunEnd>) null);
                  flow.strategy(null);
                  Each<String> each = in.expand("all", String.class, List::of);
                  each.reduce("reduce", String.class, () -> "", null);
                  Node.join(in, in)
                      .step(
                          "join", String.class, (Join.Two.Function2<String, String, String>) null);
                  in.await("await", String.class).within(null).orHalt();
                  return each.collapse(
                      "collapse", String.class, (StepFunction<List<String>, String>) null);
                }))
        .contains(
            "\"stream\" has no body: null is none",
            "\"source\" has no body: null is none",
            "\"until\" has no body: null is none",
            "the pipeline's strategy is null: name one, or none",
            "\"reduce\" has no body: null is none",
            "\"join\" has no body: null is none",
            "\"await\" is given null by within(…): say how long",
            "\"collapse\" has no body: null is none");
  }

  @Test
  void abortedWiringKeepsTheEarlierProblems() {
    assertThat(
            problems(
                flow ->
                    Node.join(
                            flow.input()
                                .step("a", String.class, (StepFunction<String, String>) null),
                            (Node<String>) null)
                        .step("b", String.class, String::concat)))
        .containsExactly(
            "\"a\" has no body: null is none", "a join is given null in the place of a node");
    assertThat(problems(flow -> flow.input().call("again", null)))
        .singleElement()
        .asString()
        .contains("\"again\" has no pipeline");
    assertThat(problems(flow -> null)).singleElement().asString().contains("returns null");
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .divert("way", String::trim)
                        .on(null, in -> in)
                        .orHalt()
                        .converge()))
        .singleElement()
        .asString()
        .contains("has no name");
  }

  @Test
  void aPipelineOfNullsIsRefused() {
    assertThatThrownBy(
            () -> Pipeline.define(null, (Class<String>) null, (Class<String>) null, null))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("the name \"null\" is not valid")
        .hasMessageContaining("\"$input\" has no type")
        .hasMessageContaining("no output type")
        .hasMessageContaining("its wiring returns null");
  }

  @Test
  void aPipelineCannotCallItself() {
    Pipeline<String, String> inner =
        Pipeline.define(
            "loop", String.class, String.class, flow -> flow.input().step("a", String.class, SAME));
    Pipeline<String, String> between =
        Pipeline.define(
            "between", String.class, String.class, flow -> flow.input().call("inner", inner));
    assertThatThrownBy(
            () ->
                Pipeline.define(
                    "loop", String.class, String.class, flow -> flow.input().call("self", between)))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("the call \"self\" leads back to a pipeline of this name");
  }

  @Test
  void armsConvergeToTheirCommonType() {
    assertThat(
            problems(
                String.class,
                Number.class,
                flow ->
                    flow.input()
                        .divert("way", String::trim)
                        .on("a", in -> in.step("a", Integer.class, Integer::parseInt))
                        .otherwise(in -> in)
                        .converge(Number.class)))
        .singleElement()
        .asString()
        .contains("the arm \"otherwise\" of \"way\" does not end with the type");
  }

  @Test
  void standpipeNeedsADataSource() {
    assertThatThrownBy(() -> Standpipe.on(null))
        .isInstanceOf(StandpipeException.class)
        .hasMessageContaining("DataSource is null");
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return problems(String.class, String.class, wiring);
  }

  private static <I, O> List<String> problems(
      Class<I> input, Class<O> output, Function<Flow<I>, Node<O>> wiring) {
    return catchThrowableOfType(
            DefinitionException.class, () -> Pipeline.define("nulls", input, output, wiring))
        .problems();
  }
}

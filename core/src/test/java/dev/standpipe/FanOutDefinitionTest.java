package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.FanOutLimitException;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FanOutDefinitionTest {
  private static final StepFunction<String, List<String>> LETTERS = text -> List.of(text.split(""));

  private static Pipeline<String, String> define(Function<Node<String>, Node<String>> wiring) {
    return Pipeline.define("fan", String.class, String.class, flow -> wiring.apply(flow.input()));
  }

  @Test
  void aLimitIsAboveZero() {
    assertThatThrownBy(
            () ->
                define(
                    input ->
                        input
                            .expand("letters", String.class, LETTERS)
                            .limit(0)
                            .collapse("end", String.class, list -> "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A limit must be 1 to 2147483647, was 0");
  }

  @Test
  void aLimitBelongsOnTheExpand() {
    assertThatThrownBy(
            () ->
                define(
                    input ->
                        input
                            .expand("letters", String.class, LETTERS)
                            .step("same", String.class, text -> text)
                            .limit(7)
                            .collapse("end", String.class, list -> "")))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("step \"same\" has a limit: put it on the expand or the loop itself");
  }

  @Test
  void theDefaultExpandLimitIsAHundredThousand() throws Exception {
    Pipeline<String, String> wide =
        define(
            input ->
                input
                    .expand(
                        "letters", String.class, n -> Collections.nCopies(Integer.parseInt(n), "x"))
                    .collapse("end", String.class, list -> ""));
    StepDefinition.Body body = wide.step("letters").orElseThrow().body();
    assertThat((List<?>) body.run(List.of("100000"), new TestContext("fan", "letters")))
        .hasSize(100_000);
    assertThatThrownBy(() -> body.run(List.of("100001"), new TestContext("fan", "letters")))
        .isInstanceOf(FanOutLimitException.class)
        .hasMessage(
            "The expand \"letters\" yielded 100,001 elements, and its limit is 100,000:"
                + " raise it with limit(…), or expand into fewer");
  }

  /** What is stored of a graph says nothing of limits: raising one leaves runs in flight alone. */
  @Test
  void aLimitIsNoPartOfTheGraph() {
    Function<Integer, Pipeline<String, String>> limited =
        limit ->
            define(
                input ->
                    input
                        .expand("letters", String.class, LETTERS)
                        .limit(limit)
                        .collapse("end", String.class, list -> ""));
    assertThat(limited.apply(1).graph()).isEqualTo(limited.apply(2).graph());
  }
}

package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.error.DefinitionException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops as they are defined. */
class LoopDefinitionTest {
  private static Pipeline<Integer, String> loop(UnaryOperator<Node<String>> options) {
    return Pipeline.define(
        "loop",
        Integer.class,
        String.class,
        flow ->
            options.apply(
                flow.input()
                    .loop(
                        "turns",
                        String.class,
                        (n, ctx) -> n == 0 ? Loop.done("done") : Loop.again(n - 1))));
  }

  private static StepDefinition.Turns turns(Pipeline<?, ?> pipeline) {
    return pipeline.step("turns").orElseThrow().turns().orElseThrow();
  }

  @Test
  void aLoopIsBoundedUnlessItSaysOtherwise() {
    assertThat(turns(loop(node -> node))).isEqualTo(new StepDefinition.Turns(1_000_000, 10));
    assertThat(turns(loop(node -> node.limit(5).keep(3))))
        .isEqualTo(new StepDefinition.Turns(5, 3));
    assertThat(loop(node -> node).graph().vertex("turns").kind()).isEqualTo(NodeKind.LOOP);
  }

  /** So that they can be changed while runs go on. */
  @Test
  void boundsAreNotPartOfTheGraph() {
    assertThat(loop(node -> node.limit(5).keep(3)).graph().hash())
        .isEqualTo(loop(node -> node).graph().hash());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aLimitIsAtLeastOne(int limit) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> loop(node -> node.limit(limit)))
        .withMessage("A limit must be 1 to 2147483647, was " + limit);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001, Integer.MAX_VALUE})
  void aLoopKeepsOneToTenThousandTurns(int keep) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> loop(node -> node.keep(keep)))
        .withMessage(
            "A loop keeps 1 to 10000 turns, was " + keep + ": the next one reads the last");
  }

  @Test
  void onlyALoopHasTurns() {
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    "misplaced",
                    Integer.class,
                    String.class,
                    flow -> flow.input().step("step", String.class, n -> "" + n).keep(3).limit(4)))
        .withMessageContaining("step \"step\" keeps turns: put keep on the loop itself")
        .withMessageContaining("put it on the expand or the loop itself");
  }

  @SuppressWarnings("NullAway") // what a user's code can do all the same
  @Test
  void aLoopNeedsABody() {
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    "bodiless",
                    Integer.class,
                    String.class,
                    flow -> flow.input().loop("turns", String.class, null)))
        .withMessageContaining("\"turns\" has no body");
  }

  @Test
  void aDelayIsNotNegative() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Loop.again(1).after(Duration.ofNanos(-1)))
        .withMessageContaining("must be zero to 36500 days");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Loop.again(1).after(Duration.ofDays(36_501)));
  }

  /** Whatever the two types are, and whichever of their subtypes a turn says. */
  @Test
  void statesAndValuesAreTypedApart() {
    LoopBody<Number, List<? extends CharSequence>> body =
        (state, ctx) ->
            state.intValue() > 3
                ? Loop.done(List.of("text"))
                : Loop.again(state.intValue() + 1).after(Duration.ofSeconds(1));
    assertThat(body).isNotNull();
  }
}

package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.standpipe.error.DefinitionException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said of nodes that have no body to heed it. */
class WaitingDefinitionTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Pipeline<String, String> CALLED =
      Pipeline.define(
          "called",
          String.class,
          String.class,
          flow -> flow.input().step("s", String.class, text -> text));

  @Test
  void anAwaitTakesNoRetryTimeoutOrDelay() {
    String hint = ": say with within(…) how long it waits, and put a delay before it";
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .await("a", String.class)
                        .retry(Retry.never())
                        .timeout(SECOND)
                        .delay(SECOND)))
        .containsExactly(
            "the await \"a\" has a retry" + hint,
            "the await \"a\" has a timeout" + hint,
            "the await \"a\" has a delay" + hint);
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .expand("e", String.class, text -> List.of(text))
                        .approval("b")
                        .within(SECOND)
                        .orHalt()
                        .timeout(SECOND)
                        .collapse("c", String.class, all -> "")))
        .containsExactly("the await \"b\" has a timeout" + hint);
    assertThat(define(flow -> flow.input().await("a", String.class).crashLimit(5))).isNotNull();
  }

  @Test
  void aCallTakesARetryButNoTimeoutOrDelay() {
    String hint = ": put it on the steps of what it calls, or a delay before it";
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .call("c", CALLED)
                        .retry(Retry.standard())
                        .timeout(SECOND)
                        .delay(SECOND)))
        .containsExactly(
            "the call \"c\" has a timeout" + hint, "the call \"c\" has a delay" + hint);
    assertThat(define(flow -> flow.input().call("c", CALLED).retry(Retry.standard()))).isNotNull();
  }

  @Test
  void anInnerExpandCannotReadAStream() {
    assertThat(
            problems(
                flow ->
                    flow.input()
                        .expand("e", String.class, text -> List.of(text))
                        .expand(
                            "inside",
                            String.class,
                            text -> List.of(text),
                            each ->
                                each.collapse("c", String.class, all -> "")
                                    .expandStream("deep", String.class, text -> Stream.of(text))
                                    .collapse("d", String.class, all -> ""))
                        .collapse("all", String.class, all -> "")))
        .containsExactly(
            "the expand \"deep\" takes its elements from a stream for each element of another: expand a list there, or the stream outside");
  }

  private static Pipeline<String, String> define(Function<Flow<String>, Node<String>> wiring) {
    return Pipeline.define("waiting", String.class, String.class, wiring);
  }

  private static List<String> problems(Function<Flow<String>, Node<String>> wiring) {
    return catchThrowableOfType(DefinitionException.class, () -> define(wiring)).problems();
  }
}

package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.SignalOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.SignalRefusedException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arms that elements take one by one. */
public interface EachDivertContract extends EnginePart {
  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
  }

  private static String first(String word) {
    return word.substring(0, 1);
  }

  /**
   * Words: those with an a go through two steps, those with a b through none, others through one.
   */
  private static Pipeline<String, String> letters() {
    return Pipeline.define(
        "letters-of-each",
        String.class,
        String.class,
        flow ->
            flow.input()
                .expand("words", String.class, EachDivertContract::words)
                .divert("way", EachDivertContract::first)
                .on(
                    "a",
                    each ->
                        each.step("a1", String.class, word -> word + "1")
                            .step("a2", String.class, word -> word + "2"))
                .on("b", each -> each)
                .otherwise(each -> each.step("else", String.class, word -> word + "?"))
                .converge()
                .step("end", String.class, word -> word + ".")
                .collapse("all", String.class, all -> String.join(" ", all)));
  }

  private static String states(Run<?> run, String node) {
    return run.steps().stream()
        .filter(step -> step.node().equals(node))
        .map(step -> step.index() + " " + step.state())
        .collect(Collectors.joining(", "));
  }

  @Test
  default void eachElementTakesItsOwnArm() throws InterruptedException {
    Pipeline<String, String> letters = letters();
    Standpipe standpipe = engine().serve(letters);
    Run<String> run = standpipe.start(letters, "ab ba x aa");
    assertThat(run.await(PATIENCE)).isEqualTo("ab12. ba. x?. aa12.");
    assertThat(states(run, "a1")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SKIPPED, 3 SUCCEEDED");
    assertThat(states(run, "a2")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SKIPPED, 3 SUCCEEDED");
    assertThat(states(run, "else")).isEqualTo("0 SKIPPED, 1 SKIPPED, 2 SUCCEEDED, 3 SKIPPED");
    assertThat(states(run, "way:converge"))
        .isEqualTo("0 SUCCEEDED, 1 SUCCEEDED, 2 SUCCEEDED, 3 SUCCEEDED");
    assertThat(standpipe.start(letters, "").await(PATIENCE)).isEmpty();
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(engine().query("select count(*) from standpipe_arrival where remaining > 0"))
        .containsExactly("0");
  }

  @Test
  default void thousandsOfElementsTakeTheirArms() throws InterruptedException {
    Pipeline<Integer, Integer> many =
        Pipeline.define(
            "many-arms",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expandStream("all", Integer.class, n -> IntStream.range(0, n).boxed())
                    .divert("odd", n -> n % 2 == 0 ? "even" : "odd")
                    .on("even", each -> each.step("half", Integer.class, n -> n / 2))
                    .on("odd", each -> each.step("zero", Integer.class, n -> 0))
                    .orHalt()
                    .converge()
                    .reduce("sum", Integer.class, () -> 0, Integer::sum));
    assertThat(engine().serve(many).start(many, 2_000).await(PATIENCE)).isEqualTo(499_500);
  }

  @Test
  default void anElementWithoutAnArmHaltsTheRun() {
    Pipeline<String, String> strict =
        Pipeline.define(
            "strict-each",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("words", String.class, EachDivertContract::words)
                    .divert("way", word -> word)
                    .retry(Retry.standard())
                    .on("a", each -> each)
                    .on("b", each -> each)
                    .orHalt()
                    .converge()
                    .collapse("all", String.class, all -> String.join(" ", all)));
    Run<String> run = engine().serve(strict).start(strict, "a b c");
    assertThatThrownBy(() -> run.await(PATIENCE))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("unmatched divert")
        .hasMessageContaining("has no arm \"c\", only a, b");
    assertThat(run.info().haltReason()).contains(HaltReason.UNMATCHED_DIVERT);
  }

  @Test
  default void divertsOfElementsNest() throws InterruptedException {
    Pipeline<String, String> nested =
        Pipeline.define(
            "nested-each",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("words", String.class, EachDivertContract::words)
                    .divert("number", word -> word.matches("-?[0-9]+") ? "yes" : "no")
                    .on(
                        "yes",
                        each ->
                            each.step("read", Integer.class, word -> Integer.valueOf(word))
                                .divert("sign", n -> n < 0 ? "minus" : "plus")
                                .on("minus", n -> n.step("minus", String.class, x -> "m" + -x))
                                .otherwise(n -> n.step("plus", String.class, x -> "p" + x))
                                .converge())
                    .otherwise(each -> each)
                    .converge()
                    .collapse("all", String.class, all -> String.join(" ", all)));
    Run<String> run = engine().serve(nested).start(nested, "1 x -2");
    assertThat(run.await(PATIENCE)).isEqualTo("p1 x m2");
    assertThat(states(run, "sign")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SUCCEEDED");
    assertThat(states(run, "minus")).isEqualTo("0 SKIPPED, 1 SKIPPED, 2 SUCCEEDED");
    assertThat(states(run, "sign:converge")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SUCCEEDED");
  }

  /** The index of an expand inside that is skipped is that of an element of another. */
  private static Pipeline<String, String> spelled(AtomicBoolean broken) {
    return Pipeline.define(
        "spelled",
        String.class,
        String.class,
        flow ->
            flow.input()
                .expand("words", String.class, EachDivertContract::words)
                .divert("way", word -> first(word).equals("x") ? "plain" : "spelled")
                .on(
                    "spelled",
                    each ->
                        each.expand(
                            "letters",
                            String.class,
                            word -> Arrays.asList(word.split("")),
                            letter ->
                                letter
                                    .limit(10)
                                    .divert("vowel", l -> "aeiou".contains(l) ? "yes" : "no")
                                    .on(
                                        "yes",
                                        l ->
                                            l.step("upper", String.class, s -> mend(s, broken))
                                                .retry(Retry.never()))
                                    .otherwise(l -> l)
                                    .converge()
                                    .collapse("word", String.class, l -> String.join("-", l))))
                .otherwise(each -> each)
                .converge()
                .collapse("all", String.class, all -> String.join(" ", all)));
  }

  private static String mend(String text, AtomicBoolean broken) {
    if (broken.get()) {
      throw new IllegalStateException("broken");
    }
    return text.toUpperCase(Locale.ROOT);
  }

  @Test
  default void anArmsExpandRunsForItsElementsOnly() throws InterruptedException {
    Pipeline<String, String> spelled = spelled(new AtomicBoolean());
    Run<String> run = engine().serve(spelled).start(spelled, "tea xyz pot x");
    assertThat(run.await(PATIENCE)).isEqualTo("t-E-A xyz p-O-t x");
    assertThat(states(run, "letters")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SUCCEEDED, 3 SKIPPED");
    assertThat(states(run, "word")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SUCCEEDED, 3 SKIPPED");
    assertThat(states(run, "upper"))
        .isEqualTo("0 SKIPPED, 1 SUCCEEDED, 2 SUCCEEDED, 20 SKIPPED, 21 SUCCEEDED, 22 SKIPPED");
  }

  @Test
  default void aRevivedRunKeepsTheArmsOfItsElements() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<String, String> spelled = spelled(broken);
    Standpipe standpipe = engine().serve(spelled);
    Run<String> run = standpipe.start(spelled, "xyz pst tea x");
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("xyz p-s-t t-E-A x");
    assertThat(states(run, "letters")).isEqualTo("0 SKIPPED, 1 SUCCEEDED, 2 SUCCEEDED, 3 SKIPPED");
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aForkKeepsTheArmsItsElementsTook() throws InterruptedException {
    Pipeline<String, String> letters = letters();
    Standpipe standpipe = engine().serve(letters);
    Run<String> run = standpipe.start(letters, "ab ba x");
    run.await(PATIENCE);
    UUID id = standpipe.operator("ann").fork(run.id(), "a2", "once more");
    Run<String> fork = standpipe.run(letters, id);
    assertThat(fork.await(PATIENCE)).isEqualTo("ab12. ba. x?.");
    assertThat(states(fork, "a2")).isEqualTo("0 SUCCEEDED, 1 SKIPPED, 2 SKIPPED");
  }

  @Test
  default void armStepsMayUseTheirElementsOutsideValues() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Pipeline<String, String> mixed =
        Pipeline.define(
            "mixed-each",
            String.class,
            String.class,
            flow -> {
              var words = flow.input().expand("words", String.class, EachDivertContract::words);
              var twice = words.step("twice", String.class, word -> word + word);
              return words
                  .divert("way", EachDivertContract::first)
                  .on(
                      "a",
                      each -> {
                        each.step("aside", Integer.class, word -> ran.incrementAndGet());
                        return twice.step("both", String.class, word -> word + "!");
                      })
                  .otherwise(each -> each)
                  .converge()
                  .collapse("all", String.class, all -> String.join(" ", all));
            });
    Run<String> run = engine().serve(mixed).start(mixed, "ab b");
    assertThat(run.await(PATIENCE)).isEqualTo("abab! b");
    assertThat(ran).hasValue(1);
    assertThat(states(run, "aside")).isEqualTo("0 SUCCEEDED, 1 SKIPPED");
    assertThat(states(run, "both")).isEqualTo("0 SUCCEEDED, 1 SKIPPED");
  }

  @Test
  default void aSkippedExpandSkipsTheDivertsOfItsElements() throws InterruptedException {
    Pipeline<String, String> outer =
        Pipeline.define(
            "outer-and-each",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .divert("empty", text -> text.isEmpty() ? "yes" : "no")
                    .on(
                        "no",
                        node ->
                            node.expand("words", String.class, EachDivertContract::words)
                                .divert("way", EachDivertContract::first)
                                .on("a", each -> each.step("a1", String.class, word -> word))
                                .otherwise(each -> each)
                                .converge()
                                .collapse("all", String.class, all -> String.join(" ", all)))
                    .otherwise(node -> node)
                    .converge());
    Standpipe standpipe = engine().serve(outer);
    Run<String> run = standpipe.start(outer, "");
    assertThat(run.await(PATIENCE)).isEmpty();
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.steps())
        .filteredOn(step -> !step.node().startsWith("empty"))
        .extracting(StepInfo::node, StepInfo::index, StepInfo::state)
        .containsExactlyInAnyOrder(
            tuple("words", 0, StepState.SKIPPED),
            tuple("way", 0, StepState.SKIPPED),
            tuple("a1", 0, StepState.SKIPPED),
            tuple("way:converge", 0, StepState.SKIPPED),
            tuple("all", 0, StepState.SKIPPED));
    assertThat(standpipe.start(outer, "ab b").await(PATIENCE)).isEqualTo("ab b");
  }

  @Test
  default void anElementWithoutASignalTakesTheOtherwise() throws InterruptedException {
    ConcurrentHashMap.KeySetView<String, Boolean> reminded = ConcurrentHashMap.newKeySet();
    Pipeline<String, String> answers =
        Pipeline.define(
            "answers",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("asked", String.class, EachDivertContract::words)
                    .await("answer", String.class)
                    .within(Duration.ofHours(1))
                    .otherwise(
                        each ->
                            each.step(
                                "remind",
                                String.class,
                                who -> {
                                  reminded.add(who);
                                  return who + "?";
                                }))
                    .collapse("all", String.class, all -> String.join(" ", all)));
    Standpipe standpipe = engine().serve(answers);
    Run<String> run = standpipe.start(answers, "ann bob");
    standpipe.signal(run.id(), "answer", "yes", SignalOptions.index(1));
    await().atMost(PATIENCE).until(() -> states(run, "answer").startsWith("0 WAITING"));
    engine().hasten("task");
    assertThat(run.await(PATIENCE)).isEqualTo("ann? yes");
    assertThat(reminded).containsExactly("ann");
    assertThat(states(run, "remind")).isEqualTo("0 SUCCEEDED, 1 SKIPPED");
  }

  @Test
  default void anAwaitOnASkippedArmTakesNoSignal() throws InterruptedException {
    Pipeline<String, String> asked =
        Pipeline.define(
            "asked-some",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("words", String.class, EachDivertContract::words)
                    .divert("way", EachDivertContract::first)
                    .on("a", each -> each.await("answer", String.class))
                    .otherwise(each -> each)
                    .converge()
                    .collapse("all", String.class, all -> String.join(" ", all)));
    Standpipe standpipe = engine().serve(asked);
    Run<String> run = standpipe.start(asked, "a b");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(states(run, "answer")).isEqualTo("0 WAITING, 1 SKIPPED"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(states(run, "way:converge")).isEqualTo("1 SUCCEEDED"));
    assertThat(standpipe.doctor()).as("a fan-in of one element has opened").isEmpty();
    assertThatThrownBy(() -> standpipe.signal(run.id(), "answer", "x", SignalOptions.index(1)))
        .isInstanceOf(SignalRefusedException.class);
    standpipe.signal(run.id(), "answer", "y", SignalOptions.index(0));
    assertThat(run.await(PATIENCE)).isEqualTo("y b");
  }
}

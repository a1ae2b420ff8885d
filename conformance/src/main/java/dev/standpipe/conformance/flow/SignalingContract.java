package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Await;
import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.SignalOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.SignalRefusedException;
import dev.standpipe.error.SignalRefusedException.Why;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.error.UnknownSignalException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that wait for signals and get them, early, late, twice or never. */
public interface SignalingContract extends EnginePart {
  private static Pipeline<String, String> paying(
      String name, Function<Await<String, Integer>, Node<Integer>> ending) {
    return Pipeline.define(
        name,
        String.class,
        String.class,
        flow -> {
          Await<String, Integer> paid =
              flow.input()
                  .step("bill", String.class, text -> text + " billed")
                  .await("paid", Integer.class);
          return Node.join(flow.input(), ending.apply(paid))
              .step("ship", String.class, (text, amount) -> text + " for " + amount);
        });
  }

  private static Pipeline<String, String> patient() {
    return paying("patient", paid -> paid);
  }

  private static void awaitWaiting(Run<?> run, String node) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                run.steps().stream()
                    .anyMatch(s -> s.node().equals(node) && s.state() == StepState.WAITING));
  }

  @Test
  default void aSignalContinuesAWaitingRun() throws InterruptedException {
    Pipeline<String, String> patient = patient();
    Standpipe standpipe = engine().serve(patient);
    Run<String> run = standpipe.start(patient, "tea");
    awaitWaiting(run, "paid");
    assertThat(engine().query("select count(*) from standpipe_task where owner is not null"))
        .containsExactly("0");
    assertThat(engine().client().signal(run.id(), "paid", 17)).isTrue();
    assertThat(run.await(PATIENCE)).isEqualTo("tea for 17");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void aSignalBeforeItsAwaitIsKept() throws InterruptedException {
    Pipeline<String, String> patient = patient();
    Standpipe client = engine().client();
    Run<String> run = client.start(patient, "tea");
    assertThat(client.signal(run.id(), "paid", 17)).isTrue();
    assertThat(run.steps()).extracting(StepInfo::node).containsExactly("bill");
    engine().serve(patient);
    assertThat(run.await(PATIENCE)).isEqualTo("tea for 17");
  }

  @Test
  default void anAwaitOutlivesItsProcess() throws InterruptedException {
    Pipeline<String, String> patient = patient();
    Standpipe first = engine().serve(patient);
    Run<String> run = first.start(patient, "tea");
    awaitWaiting(run, "paid");
    first.close();
    Standpipe second = engine().serve(patient);
    second.signal(run.id(), "paid", 17);
    assertThat(second.run(patient, run.id()).await(PATIENCE)).isEqualTo("tea for 17");
  }

  @Test
  default void anAwaitTakesOneSignal() throws InterruptedException {
    Pipeline<String, String> patient = patient();
    Standpipe standpipe = engine().serve(patient);
    Run<String> run = standpipe.start(patient, "tea");
    SignalOptions first = SignalOptions.dedupeKey("event-1");
    assertThat(standpipe.signal(run.id(), "paid", 17, first)).isTrue();
    assertThat(standpipe.signal(run.id(), "paid", 17, first)).isFalse();
    assertThatThrownBy(() -> standpipe.signal(run.id(), "paid", 18))
        .isInstanceOfAny(SignalRefusedException.class, RunEndedException.class);
    assertThat(run.await(PATIENCE)).isEqualTo("tea for 17");
    assertThat(standpipe.signal(run.id(), "paid", 17, first)).as("still known").isFalse();
    assertThatThrownBy(() -> standpipe.signal(run.id(), "paid", 18))
        .isInstanceOf(RunEndedException.class)
        .hasMessageContaining("succeeded: only a run that is running takes signals");
  }

  @Test
  default void anUnknownSignalIsRefusedWithTheKnownOnes() {
    Pipeline<String, String> patient = patient();
    Standpipe standpipe = engine().serve(patient);
    Run<String> run = standpipe.start(patient, "tea");
    awaitWaiting(run, "paid");
    assertThatThrownBy(() -> standpipe.signal(run.id(), "payed", 17))
        .isInstanceOf(UnknownSignalException.class)
        .hasMessageContaining("has no await \"payed\": it awaits paid");
    assertThatThrownBy(() -> standpipe.signal(run.id(), "bill", 17))
        .isInstanceOf(UnknownSignalException.class);
    assertThatThrownBy(() -> standpipe.signal(run.id(), "paid", 17, SignalOptions.index(1)))
        .isInstanceOf(UnknownSignalException.class)
        .hasMessageContaining("has no element 1: say one from 0 to 0");
    assertThatThrownBy(() -> standpipe.signal(UUID.randomUUID(), "paid", 17))
        .isInstanceOf(UnknownRunException.class);
    assertThatThrownBy(() -> standpipe.signal(run.id(), "paid", "a lot"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("The await \"paid\" takes a signal of java.lang.Integer");
    assertThat(engine().query("select count(*) from standpipe_signal where value is not null"))
        .containsExactly("0");
  }

  @Test
  default void anUnreadableSignalHaltsTheRun() throws InterruptedException {
    Pipeline<String, String> patient = patient();
    Standpipe standpipe = engine().serve(patient);
    Run<String> run = standpipe.start(patient, "tea");
    engine().client().signal(run.id(), "paid", "a lot");
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    standpipe.operator("ann").revive(run.id(), "typing error");
    awaitWaiting(run, "paid");
    standpipe.signal(run.id(), "paid", 17);
    assertThat(run.await(PATIENCE)).isEqualTo("tea for 17");
  }

  @Test
  default void anExpiredAwaitTakesItsDefault() throws InterruptedException {
    Pipeline<String, String> hasty =
        paying("hasty", paid -> paid.within(Duration.ofMillis(20)).orElse(0));
    Standpipe standpipe = engine().serve(hasty);
    Run<String> run = standpipe.start(hasty, "tea");
    assertThat(run.await(PATIENCE)).isEqualTo("tea for 0");
  }

  @Test
  default void anExpiredAwaitHaltsItsRun() throws InterruptedException {
    Pipeline<String, String> strict =
        Pipeline.define(
            "strict-await",
            String.class,
            String.class,
            flow -> flow.input().await("word", String.class).within(Duration.ofHours(1)).orHalt());
    Standpipe standpipe = engine().serve(strict);
    Run<String> run = standpipe.start(strict, "tea");
    awaitWaiting(run, "word");
    engine().hasten("task");
    assertThatThrownBy(() -> run.await(PATIENCE))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("got no signal within PT1H");
    assertThat(run.info().haltReason()).contains(HaltReason.SIGNAL_EXPIRED);
    assertThatThrownBy(() -> standpipe.signal(run.id(), "word", "late"))
        .isInstanceOf(RunEndedException.class)
        .hasMessageContaining("Revive it first");
    standpipe.operator("ann").revive(run.id(), "once more");
    awaitWaiting(run, "word");
    standpipe.signal(run.id(), "word", "in time");
    assertThat(run.await(PATIENCE)).isEqualTo("in time");
  }

  @Test
  default void anExpiredAwaitTakesItsOtherwise() throws InterruptedException {
    Pipeline<String, String> reminding =
        Pipeline.define(
            "reminding",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .await("answer", String.class)
                    .within(Duration.ofHours(1))
                    .otherwise(
                        asked ->
                            asked
                                .step("remind", String.class, text -> text + "?")
                                .await("second", String.class)
                                .within(Duration.ofMillis(20))
                                .orElse("nobody"))
                    .step("end", String.class, text -> text + "."));
    Standpipe standpipe = engine().serve(reminding);
    Run<String> late = standpipe.start(reminding, "who");
    Run<String> quick = standpipe.start(reminding, "who");
    standpipe.signal(quick.id(), "answer", "me");
    assertThat(quick.await(PATIENCE)).isEqualTo("me.");
    awaitWaiting(late, "answer");
    engine().hasten("task");
    assertThat(late.await(PATIENCE)).isEqualTo("nobody.");
    assertThat(quick.steps())
        .filteredOn(step -> step.node().equals("second"))
        .extracting(StepInfo::state)
        .containsExactly(StepState.SKIPPED);
    assertThat(late.steps()).noneMatch(step -> step.state() == StepState.SKIPPED);
  }

  @Test
  default void aSkippedAwaitTakesNoSignal() {
    Pipeline<String, String> either =
        Pipeline.define(
            "either",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .divert("way", text -> text)
                    .on("ask", node -> node.await("asked", String.class))
                    .otherwise(node -> node.await("told", String.class))
                    .converge());
    Standpipe standpipe = engine().serve(either);
    Run<String> run = standpipe.start(either, "ask");
    awaitWaiting(run, "asked");
    assertThatThrownBy(() -> standpipe.signal(run.id(), "told", "x"))
        .isInstanceOf(SignalRefusedException.class)
        .hasMessageContaining("was skipped");
    assertThat(standpipe.signal(run.id(), "asked", "x")).isTrue();
  }

  @Test
  default void eachElementHasItsOwnSignal() throws InterruptedException {
    Pipeline<Integer, String> votes =
        Pipeline.define(
            "votes",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .expand("voters", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .await("vote", String.class)
                    .within(Duration.ofHours(1))
                    .orElse("-")
                    .step("twice", String.class, text -> text + text)
                    .collapse("count", String.class, all -> String.join("", all)));
    Standpipe standpipe = engine().serve(votes);
    Run<String> run = standpipe.start(votes, 3);
    assertThat(standpipe.signal(run.id(), "vote", "a", SignalOptions.index(2))).isTrue();
    assertThat(standpipe.signal(run.id(), "vote", "b", SignalOptions.index(0))).isTrue();
    awaitWaiting(run, "vote");
    assertThatThrownBy(() -> standpipe.signal(run.id(), "vote", "c", SignalOptions.index(3)))
        .isInstanceOf(UnknownSignalException.class)
        .hasMessageContaining("say one from 0 to 2");
    engine().hasten("task");
    assertThat(run.await(PATIENCE)).isEqualTo("bb--aa");
  }

  @Test
  default void aPersonApprovesOrRejectsWithOneCall() throws InterruptedException {
    Pipeline<String, String> asking =
        Pipeline.define(
            "asking",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .approval("boss")
                    .step("told", String.class, a -> (a.approved() ? "yes" : "no") + " " + a.by()));
    Standpipe standpipe = engine().serve(asking);
    Run<String> yes = standpipe.start(asking, "x");
    Run<String> no = standpipe.start(asking, "y");
    awaitWaiting(no, "boss");
    assertThat(standpipe.operator("ann").approve(yes.id(), "boss", "fine")).isTrue();
    assertThat(standpipe.operator("bob").reject(no.id(), "boss", "never")).isTrue();
    assertThat(yes.await(PATIENCE)).isEqualTo("yes ann");
    assertThat(no.await(PATIENCE)).isEqualTo("no bob");
    assertThat(standpipe.operator("bob").reject(no.id(), "boss", "never")).isFalse();
    assertThat(engine().query("select actor, action, reason from standpipe_audit order by actor"))
        .containsExactly("ann|approve|fine", "bob|reject|never");
  }

  @Test
  default void aCanceledRunStopsWaiting() {
    Pipeline<String, String> patient = patient();
    Standpipe standpipe = engine().serve(patient);
    Run<String> run = standpipe.start(patient, "tea");
    awaitWaiting(run, "paid");
    assertThat(standpipe.operator("ann").cancel(run.id(), "enough")).isEqualTo(RunStatus.CANCELED);
    assertThatThrownBy(() -> standpipe.signal(run.id(), "paid", 17))
        .isInstanceOf(RunEndedException.class)
        .hasMessageContaining("canceled");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  /**
   * A signal that was taken is the outcome, and one that was refused is not. The first are signaled
   * in time; then the time of all others is over, and when the first of them has expired, the rest
   * is about to.
   */
  @Test
  default void callersLearnWhetherTheirSignalBeatTheExpiry() throws InterruptedException {
    long seed = System.nanoTime();
    System.out.println("signals against expiry: seed " + seed);
    int trials = 1_000;
    Pipeline<Integer, String> racing =
        Pipeline.define(
            "racing",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .await("word", String.class)
                    .within(Duration.ofHours(1))
                    .orElse("expired"));
    Standpipe standpipe = engine().serve(racing);
    List<Run<String>> runs =
        standpipe.startAll(racing, IntStream.range(0, trials).boxed().toList());
    Map<Integer, Boolean> taken = new ConcurrentHashMap<>();
    await().atMost(PATIENCE).until(() -> waiting() == trials);
    for (int i = 1; i < 9; i++) {
      taken.put(i, isTaken(standpipe, runs.get(i).id()));
    }
    engine().hasten("task");
    Racers.race(
        8,
        racer -> {
          Random random = new Random(seed + racer);
          runs.get(0).await(PATIENCE);
          for (int i = 9 + racer; i < trials; i += 8) {
            EngineFixture.pause(Duration.ofMillis(random.nextInt(3)));
            taken.put(i, isTaken(standpipe, runs.get(i).id()));
          }
          return true;
        });
    taken.put(0, isTaken(standpipe, runs.get(0).id()));
    List<String> results = EngineFixture.await(runs);
    List<String> expected = new ArrayList<>();
    IntStream.range(0, trials)
        .forEach(i -> expected.add(Boolean.TRUE.equals(taken.get(i)) ? "signaled" : "expired"));
    assertThat(results).isEqualTo(expected);
    assertThat(taken).containsValue(true).containsValue(false);
  }

  private int waiting() {
    return Integer.parseInt(
        engine().query("select count(*) from standpipe_task where due_at is not null").get(0));
  }

  private static boolean isTaken(Standpipe standpipe, UUID run) {
    try {
      return standpipe.signal(run, "word", "signaled");
    } catch (SignalRefusedException e) {
      assertThat(e.why()).isEqualTo(Why.EXPIRED);
      return false;
    } catch (RunEndedException e) {
      return false;
    }
  }
}

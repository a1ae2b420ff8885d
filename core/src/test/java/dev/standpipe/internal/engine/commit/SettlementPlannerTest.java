package dev.standpipe.internal.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Fail;
import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.StepFunction;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.AttemptFailure;
import dev.standpipe.internal.engine.execute.Attempts;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Changes;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SettlementPlannerTest {
  private static final StepFunction<String, String> SAME = text -> text;
  private static final UUID OWNER = new UUID(1, 1);
  private static final UUID RUN = new UUID(2, 2);

  /** Ordinals are places in the order of keys: $input 0, all 1, item 2, items 3, one 4, two 5. */
  private static final Pipeline<String, String> SPREAD =
      Pipeline.define(
          "spread",
          String.class,
          String.class,
          flow -> {
            Node<String> one =
                flow.input()
                    .step("one", String.class, SAME)
                    .retry(Retry.fixed(Duration.ofSeconds(3)).limit(2));
            one.step("two", String.class, SAME);
            return one.expand("items", String.class, text -> List.of(text))
                .step("item", String.class, SAME)
                .collapse("all", String.class, texts -> String.join("", texts));
          });

  private final Capacity capacity = new Capacity(4, 1, Machine.REAL);
  private final SettlementPlanner planner = new SettlementPlanner(capacity);

  @Test
  void aSettlementIdentifiesItsAttempt() {
    Attempt work = work(SPREAD, "item", 3);
    Settlement settlement = plan(work, new Outcome.Returned(List.of("\"x\"")));
    assertThat(settlement)
        .usingRecursiveComparison()
        .ignoringFields("verdict")
        .isEqualTo(
            new Settlement(
                new TaskRef(RUN, 77, 9), "item", 3, 5, 6, 2, 1_234, new Settlement.Released()));
  }

  @Test
  void theFirstNextStepTakesOverTheRow() {
    Changes ok = succeeded(work(SPREAD, "one", 0), "\"x\"");
    assertThat(ok.results()).containsExactly(new Value("one", 0, "\"x\"", false));
    assertThat(ok.next()).isEqualTo(new Next("items", 0, true));
    assertThat(ok.tasks()).containsExactly(new NewTasks("two", 5L << 32, 0, 1, 1));
    assertThat(ok.bumps()).isEmpty();
    assertThat(ok.endsRun()).isFalse();
  }

  @Test
  void anExpandRecordsItsElementsAndExpectsTheirArrivals() {
    Changes ok = succeeded(work(SPREAD, "items", 0), "\"a\"", "\"b\"", "\"c\"");
    assertThat(ok.results())
        .containsExactly(
            new Value("items", Settlement.header(0), "3", false),
            new Value("items", 0, "\"a\"", true),
            new Value("items", 1, "\"b\"", true),
            new Value("items", 2, "\"c\"", true));
    assertThat(ok.next()).isEqualTo(new Next("item", 0, true));
    assertThat(ok.tasks()).containsExactly(new NewTasks("item", (2L << 32) + 1, 1, 2, 2));
    assertThat(ok.bumps()).containsExactly(new Bump("all", 1, 2, 1L << 32, true));
  }

  @Test
  void anExpandOverNothingStartsNothing() {
    Changes ok = succeeded(work(SPREAD, "items", 0));
    assertThat(ok.results()).containsExactly(new Value("items", Settlement.header(0), "0", false));
    assertThat(ok.next()).isNull();
    assertThat(ok.tasks()).isEmpty();
    assertThat(ok.bumps()).containsExactly(new Bump("all", 1, -1, 1L << 32, true));
  }

  @Test
  void theRunsEndIsAnUnleasedArrival() {
    Changes ok = succeeded(work(SPREAD, "two", 0), "\"x\"");
    assertThat(ok.bumps()).containsExactly(new Bump(Bump.END, 2, -1, 0, false));
    assertThat(ok.endsRun()).isFalse();
    assertThat(succeeded(work(Attempts.PIPELINE, "second", 0), "\"x\"").endsRun()).isTrue();
  }

  @Test
  void stepsWithoutRoomAreLeftReady() {
    capacity.reserve(3);
    Changes ok = succeeded(work(SPREAD, "items", 0), "\"a\"", "\"b\"", "\"c\"");
    assertThat(ok.tasks()).containsExactly(new NewTasks("item", (2L << 32) + 1, 1, 2, 1));
    assertThat(ok.bumps()).containsExactly(new Bump("all", 1, 2, 1L << 32, false));
    capacity.close();
    assertThat(succeeded(work(SPREAD, "items", 0), "\"a\"").next())
        .isEqualTo(new Next("item", 0, false));
  }

  @Test
  void aFailureIsRetriedUpToItsLimit() {
    IOException error = new IOException("jammed");
    Settlement.Verdict again = plan(failed(work(SPREAD, "one", 0), error, false)).verdict();
    assertThat(again)
        .isEqualTo(new Settlement.Retried(AttemptOutcome.FAILED, ErrorText.of(error), 3_000_000));
    Settlement.Verdict late = plan(failed(work(SPREAD, "one", 0), error, true)).verdict();
    assertThat(late)
        .isEqualTo(
            new Settlement.Retried(AttemptOutcome.TIMED_OUT, ErrorText.of(error), 3_000_000));
    Settlement.Verdict last = plan(failed(work(SPREAD, "one", 0, 3), error, false)).verdict();
    assertThat(last)
        .isEqualTo(
            new Settlement.Failed(
                AttemptOutcome.FAILED, ErrorText.of(error), HaltReason.RETRIES_EXHAUSTED));
  }

  @Test
  void anInvalidValueIsNotRetried() {
    InvalidValueException error = new InvalidValueException("too large", null);
    assertThat(plan(failed(work(SPREAD, "one", 0), error, false)).verdict())
        .isEqualTo(
            new Settlement.Failed(
                AttemptOutcome.FAILED, ErrorText.of(error), HaltReason.INVALID_VALUE));
  }

  @Test
  void failNowIgnoresTheRemainingRetries() {
    Fail error = Fail.now("never");
    assertThat(plan(failed(work(SPREAD, "one", 0), error, false)).verdict())
        .isEqualTo(
            new Settlement.Failed(
                AttemptOutcome.FAILED, ErrorText.of(error), HaltReason.FAILED_NOW));
  }

  @Test
  void anEarlyEndStartsNoNextStep() {
    Outcome.AttemptEnding ending = new Outcome.Returned(List.of("\"x\""), "\"early\"", List.of());
    Settlement.Verdict verdict = plan(work(SPREAD, "one", 0), ending).verdict();
    assertThat(verdict)
        .isEqualTo(
            new Settlement.Finished(
                List.of(new Value("one", 0, "\"x\"", false)), "\"early\"", 10_000_000));
    assertThat(capacity.reserved()).isZero();
  }

  @Test
  void aSnoozeNeedsNoRetries() {
    Attempt work = work(SPREAD, "two", 0);
    assertThat(plan(failed(work, Retry.after(Duration.ofSeconds(2)), false)).verdict())
        .isEqualTo(new Settlement.Snoozed(2_000_000));
  }

  @Test
  void anUnplannableOutcomeFailsItsStep() {
    assertThat(plan(work(SPREAD, "one", 0), new Outcome.Returned(List.of())).verdict())
        .isInstanceOfSatisfying(
            Settlement.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(HaltReason.INVALID_VALUE));
  }

  @Test
  void anAttemptGivenBackIsReleased() {
    Attempt work = work(SPREAD, "one", 0);
    assertThat(plan(work, new Outcome.GivenBack()).verdict()).isEqualTo(new Settlement.Released());
    Outcome returned = new Outcome(work, 1_234_567, new Outcome.Returned(List.of("1")));
    Settlement trace = planner.trace(returned);
    assertThat(trace.verdict()).isEqualTo(new Settlement.Released());
    assertThat(trace.token()).isEqualTo(9);
  }

  @Test
  void aContinuingExpandKeepsItsRow() {
    Outcome.Yielded some = new Outcome.Yielded(5, List.of("\"f\"", "\"g\""), false);
    Settlement settlement = plan(work(SPREAD, "items", 0), some);
    assertThat(settlement.verdict())
        .isEqualTo(
            new Settlement.Expanding(
                List.of(new Value("items", 5, "\"f\"", true), new Value("items", 6, "\"g\"", true)),
                new Next("items", 0, true),
                List.of(new NewTasks("item", (2L << 32) + 5, 5, 2, 2)),
                List.of(new Bump("all", 1, 2, 1L << 32, true))));
    assertThat(planner.trace(new Outcome(work(SPREAD, "items", 0), 1, some)).index()).isEqualTo(5);
  }

  @Test
  void theLastElementsBringTheExpandsArrival() {
    Outcome.Yielded last = new Outcome.Yielded(5, List.of("\"f\""), true);
    Changes ok = plan(work(SPREAD, "items", 0), last).changes();
    assertThat(ok.results())
        .containsExactly(
            new Value("items", Settlement.header(0), "6", false),
            new Value("items", 5, "\"f\"", true));
    assertThat(ok.next()).isEqualTo(new Next("item", 5, true));
    assertThat(ok.bumps()).containsExactly(new Bump("all", 1, 0, 1L << 32, true));
    assertThat(planner.trace(new Outcome(work(SPREAD, "items", 0), 1, last)).index()).isZero();
  }

  private Changes succeeded(Attempt work, String... values) {
    Settlement settlement = plan(work, new Outcome.Returned(List.of(values)));
    assertThat(settlement.verdict()).isInstanceOf(Settlement.Succeeded.class);
    return settlement.changes();
  }

  private static Outcome failed(Attempt work, Exception error, boolean timedOut) {
    Outcome.AttemptEnding ending = new Outcome.Threw(AttemptFailure.of(work, error), timedOut);
    return new Outcome(work, 1_234_567, ending);
  }

  private Settlement plan(Attempt work, Outcome.AttemptEnding ending) {
    return plan(new Outcome(work, 1_234_567, ending));
  }

  private Settlement plan(Outcome outcome) {
    PlannedSettlement plan = planner.plan(outcome);
    assertThat(plan.outcome()).isSameAs(outcome);
    return plan.settlement();
  }

  private static Attempt work(Pipeline<?, ?> pipeline, String node, int index) {
    return work(pipeline, node, index, 2);
  }

  private static Attempt work(Pipeline<?, ?> pipeline, String node, int index, int attempt) {
    return Attempt.of(
        OWNER, pipeline, new Claimed(RUN, 77, node, index, 5, 6, 9, attempt, 0, true, 0));
  }
}

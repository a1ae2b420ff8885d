package dev.standpipe.internal.engine.commit;

import dev.standpipe.HaltReason;
import dev.standpipe.Retry;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import dev.standpipe.definition.Vertex;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.internal.coordinate.Advance;
import dev.standpipe.internal.coordinate.Arrival;
import dev.standpipe.internal.coordinate.Coordinator;
import dev.standpipe.internal.coordinate.End;
import dev.standpipe.internal.coordinate.Ending;
import dev.standpipe.internal.coordinate.Skip;
import dev.standpipe.internal.coordinate.Start;
import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.execute.ArmValue;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.AttemptFailure;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Changes;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.operate.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Works out the rows to write for an outcome, and which of the next steps this process keeps. */
public final class SettlementPlanner {
  /** How long the other bodies of a run have that one of them has ended. */
  private static final long GRACE = TimeUnit.NANOSECONDS.toMicros(Operator.CANCEL_GRACE.toNanos());

  /** Longer than anything waits; still a number of nanoseconds. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final Capacity capacity;
  private final Function<Attempt, Retry> retries;
  private final FailureLookup failures;

  /** Retries as the steps' code says, in runs that were never brought back. */
  SettlementPlanner(Capacity capacity) {
    this(capacity, attempt -> attempt.definition().retry(), FailureLookup.NONE);
  }

  SettlementPlanner(Capacity capacity, Function<Attempt, Retry> retries, FailureLookup failures) {
    this.capacity = capacity;
    this.retries = retries;
    this.failures = failures;
  }

  PlannedSettlement plan(Outcome outcome) {
    PlannedSettlement plan = new PlannedSettlement(outcome, settlement(outcome, verdict(outcome)));
    return capacity.isPaused(outcome.attempt().lane) ? unkept(plan) : plan;
  }

  private PlannedSettlement unkept(PlannedSettlement plan) {
    capacity.unreserve(plan.reserved());
    return plan.unkept();
  }

  /**
   * A plan that cannot be made must not keep others from being committed: its step fails, and halts
   * the run whatever its strategy, since for what would follow a plan is needed again.
   */
  private Settlement.Verdict verdict(Outcome outcome) {
    try {
      return verdict(outcome.attempt(), outcome.ending());
    } catch (StoreException e) { // a limit could not be looked up, which is not the step's fault
      return new Settlement.Released();
    } catch (RuntimeException | StackOverflowError e) {
      return new Settlement.Failed(
          AttemptOutcome.FAILED,
          ErrorText.of(e),
          HaltReason.INVALID_VALUE,
          isExpand(outcome.attempt()));
    }
  }

  /** What a target is called: the end of a run that may outlive failures is judged by them. */
  public static String target(Graph graph, @Nullable Vertex target) {
    return target != null ? target.key() : graph.isLenient() ? Bump.CLOSE : Bump.END;
  }

  /** Names what the outcome is recorded as, if it is. */
  Settlement trace(Outcome outcome) {
    int index =
        outcome.ending() instanceof Outcome.Yielded yielded && !yielded.last()
            ? outcome.attempt().vertex.firstElement(outcome.attempt().index) + yielded.first()
            : outcome.attempt().index;
    return settlement(outcome, index, new Settlement.Released());
  }

  private static Settlement settlement(Outcome outcome, Settlement.Verdict verdict) {
    return settlement(outcome, outcome.attempt().index, verdict);
  }

  private static Settlement settlement(Outcome outcome, int index, Settlement.Verdict verdict) {
    Attempt attempt = outcome.attempt();
    return new Settlement(
        attempt.ref,
        attempt.vertex.key(),
        index,
        attempt.lane,
        attempt.priority,
        attempt.number,
        TimeUnit.NANOSECONDS.toMicros(outcome.elapsedNanos()),
        verdict,
        outcome.effects());
  }

  /** The id of the task that is made for a step. */
  public static long taskId(Vertex vertex, int index) {
    return (long) vertex.ordinal() << 32 | index;
  }

  private Settlement.Verdict verdict(Attempt attempt, Outcome.AttemptEnding ending) {
    if (ending instanceof Outcome.Returned returned) {
      return returned.output() == null
          ? succeeded(attempt, 0, returned.values())
          : new Settlement.Finished(
              results(attempt, 0, returned.values()), returned.output(), GRACE);
    }
    if (ending instanceof Outcome.Yielded yielded) {
      return yielded.last() ? last(attempt, yielded) : expanding(attempt, yielded);
    }
    if (ending instanceof Outcome.Turned turned) {
      return turned.output() == null
          ? turning(attempt, turned.delay())
          : new Settlement.Finished(List.of(), turned.output(), GRACE);
    }
    if (ending instanceof Outcome.NotRun skipped) {
      return skipped(attempt, skipped.lost());
    }
    if (ending instanceof Outcome.Threw threw) {
      return failed(attempt, threw);
    }
    if (ending instanceof Outcome.Waits waits) {
      Duration longest = waits.within().orElse(FOREVER);
      return new Settlement.Waiting(TimeUnit.NANOSECONDS.toMicros(longest.toNanos()));
    }
    return new Settlement.Released();
  }

  private Settlement.Verdict failed(Attempt attempt, Outcome.Threw threw) {
    AttemptOutcome how = threw.timedOut() ? AttemptOutcome.TIMED_OUT : AttemptOutcome.FAILED;
    AttemptFailure failure = threw.failure();
    Duration snooze = failure.snooze();
    if (snooze != null) {
      return new Settlement.Snoozed(TimeUnit.NANOSECONDS.toMicros(snooze.toNanos()));
    }
    if (failure.retryable()) {
      Retry retry = retries.apply(attempt);
      if (attempt.number <= retry.limit()) {
        long delay = TimeUnit.NANOSECONDS.toMicros(retry.delayAfter(attempt.number).toNanos());
        return new Settlement.Retried(how, failure.error(), delay);
      }
    }
    return failed(
        attempt, new Settlement.Failed(how, failure.error(), failure.reason(), isExpand(attempt)));
  }

  private static boolean isExpand(Attempt attempt) {
    return attempt.vertex.kind() == NodeKind.EXPAND;
  }

  /** Halts the run, or lets it go on with or without what depends on the step. */
  private Settlement.Verdict failed(Attempt attempt, Settlement.Failed failure) {
    if (!failures.isTolerated(attempt, failure.reason())) {
      return failure;
    }
    boolean ignored = attempt.vertex.strategy() == Strategy.IGNORE;
    Advance advance = advance(attempt, ignored ? Ending.SUCCEEDED : Ending.LOST);
    return new Settlement.Tolerated(
        failure,
        End.of(attempt.pipeline.graph(), List.of(attempt.vertex)) == End.HALTED,
        new Changes(
            List.of(),
            skips(advance),
            next(advance),
            besides(advance.starts()),
            bumps(attempt, advance),
            false));
  }

  /** An expand keeps its row until the last of its elements is in. */
  private Settlement.Expanding expanding(Attempt attempt, Outcome.Yielded yielded) {
    Advance advance =
        Coordinator.yielded(
            attempt.pipeline.graph(),
            attempt.vertex,
            attempt.index,
            Ending.expanded(yielded.first(), yielded.values().size()),
            failures.done(attempt));
    return new Settlement.Expanding(
        elements(attempt, yielded.first(), yielded.values()),
        new Next(attempt.vertex.key(), attempt.index, capacity.mayGoOn()),
        tasks(advance.starts(), 0),
        bumps(attempt, advance));
  }

  /** A loop keeps its row until its last turn. */
  private Settlement.Turning turning(Attempt attempt, Duration delay) {
    long micros = TimeUnit.NANOSECONDS.toMicros(delay.toNanos());
    boolean kept = micros == 0 && capacity.mayKeep();
    return new Settlement.Turning(new Next(attempt.vertex.key(), attempt.index, kept), micros);
  }

  private Settlement.Verdict last(Attempt attempt, Outcome.Yielded yielded) {
    return yielded.output() == null
        ? succeeded(attempt, yielded.first(), yielded.values())
        : new Settlement.Finished(
            results(attempt, yielded.first(), yielded.values()), yielded.output(), GRACE);
  }

  private Settlement.Succeeded succeeded(Attempt attempt, int first, List<String> values) {
    Advance advance = advance(attempt, ending(attempt, first, values));
    return new Settlement.Succeeded(
        changes(attempt, advance, results(attempt, first, values), skips(advance)));
  }

  private Settlement.Skipped skipped(Attempt attempt, boolean lost) {
    Advance advance = advance(attempt, lost ? Ending.LOST : Ending.SKIPPED);
    List<Settlement.SkippedStep> skips = new ArrayList<>();
    skips.add(skip(new Skip(attempt.vertex, attempt.index, lost)));
    skips.addAll(skips(advance));
    return new Settlement.Skipped(changes(attempt, advance, List.of(), skips));
  }

  private Changes changes(
      Attempt attempt, Advance advance, List<Value> results, List<Settlement.SkippedStep> skips) {
    return new Changes(
        results,
        skips,
        next(advance),
        besides(advance.starts()),
        bumps(attempt, advance),
        advance.finishes());
  }

  private Advance advance(Attempt attempt, Ending ending) {
    return Coordinator.ended(
        attempt.pipeline.graph(), attempt.vertex, attempt.index, ending, failures.done(attempt));
  }

  private static Ending ending(Attempt attempt, int first, List<String> values) {
    return switch (attempt.vertex.kind()) {
      case EXPAND -> Ending.expanded(first, values.size());
      case DIVERT -> Ending.diverted(ArmValue.read(values.get(0)));
      case INPUT, STEP, COLLAPSE, CONVERGE, DELAY, BARRIER, AWAIT, CALL, LOOP -> Ending.SUCCEEDED;
    };
  }

  private @Nullable Next next(Advance advance) {
    if (advance.starts().isEmpty()) {
      return null;
    }
    Start first = advance.starts().get(0);
    return new Next(first.vertex().key(), first.first(), capacity.mayKeep());
  }

  private static List<Settlement.SkippedStep> skips(Advance advance) {
    return advance.skips().isEmpty()
        ? List.of()
        : advance.skips().stream().map(SettlementPlanner::skip).toList();
  }

  /** How it is recorded that a step does not run. */
  public static Settlement.SkippedStep skip(Skip skip) {
    int index = skipIndex(skip.vertex(), skip.index());
    return new Settlement.SkippedStep(skip.vertex().key(), index, skip.lost());
  }

  /**
   * The index under which it is recorded that a step does not run. That of an expand inside another
   * may be that of an element.
   */
  public static int skipIndex(Vertex vertex, int index) {
    boolean inside = vertex.kind() == NodeKind.EXPAND && vertex.scope() != null;
    return inside && index >= 0 ? Settlement.header(index) : index;
  }

  private static List<Value> results(Attempt attempt, int first, List<String> values) {
    String node = attempt.vertex.key();
    if (attempt.vertex.kind() != NodeKind.EXPAND) {
      return List.of(new Value(node, attempt.index, values.get(0), false));
    }
    List<Value> results = new ArrayList<>(values.size() + 1);
    String count = Integer.toString(first + values.size());
    results.add(new Value(node, Settlement.header(attempt.index), count, false));
    results.addAll(elements(attempt, first, values));
    return results;
  }

  private static List<Value> elements(Attempt attempt, int first, List<String> values) {
    List<Value> elements = new ArrayList<>(values.size());
    int base = attempt.vertex.firstElement(attempt.index);
    for (int i = 0; i < values.size(); i++) {
      elements.add(new Value(attempt.vertex.key(), base + first + i, values.get(i), true));
    }
    return elements;
  }

  /** All that starts but the very first, which takes over the finished step's row. */
  private List<NewTasks> besides(List<Start> starts) {
    if (starts.isEmpty() || (starts.size() == 1 && starts.get(0).count() == 1)) {
      return List.of();
    }
    return tasks(starts, 1);
  }

  /** All that starts but the first few of the first. */
  private List<NewTasks> tasks(List<Start> starts, int but) {
    List<NewTasks> tasks = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      Start start = starts.get(i);
      int first = start.first() + (i == 0 ? but : 0);
      int count = start.count() - (i == 0 ? but : 0);
      if (count > 0) {
        tasks.add(
            new NewTasks(
                start.vertex().key(),
                taskId(start.vertex(), first),
                first,
                count,
                capacity.reserveForFollowers(count)));
      }
    }
    return tasks;
  }

  private List<Bump> bumps(Attempt attempt, Advance advance) {
    if (advance.arrivals().isEmpty()) {
      return List.of();
    }
    List<Bump> bumps = new ArrayList<>();
    for (Arrival arrival : advance.arrivals()) {
      @Nullable Vertex target = arrival.target();
      String key = target(attempt.pipeline.graph(), target);
      bumps.add(
          target == null
              ? new Bump(key, arrival.need(), arrival.delta(), 0, false)
              : new Bump(
                  key,
                  arrival.index(),
                  arrival.need(),
                  arrival.delta(),
                  taskId(target, arrival.index()),
                  capacity.reserveForFollowers(1) == 1));
    }
    return bumps;
  }
}

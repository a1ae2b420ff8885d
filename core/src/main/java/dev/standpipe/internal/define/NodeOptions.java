package dev.standpipe.internal.define;

import dev.standpipe.EffectBody;
import dev.standpipe.Retry;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What the user says about one node, checked as it is said. Not thread-safe; frozen when the
 * definition ends.
 */
public final class NodeOptions {
  /** Below three, a step would be quarantined that had the bad luck to run beside another. */
  public static final int FEWEST_CRASHES = 3;

  /** The highest crash limit. */
  public static final int MOST_CRASHES = 1_000;

  /** How many turns a loop may take by default. */
  static final int MOST_TURNS = 1_000_000;

  /** How many turns of a loop stay visible by default, and at most. */
  private static final int TURNS_KEPT = 10;

  private static final int MOST_KEPT = 10_000;

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final FlowDraft flow;
  private final String key;
  private Optional<Retry> retry = Optional.empty();
  private Optional<Duration> timeout = Optional.empty();
  private Optional<Duration> stallTimeout = Optional.empty();
  private Optional<Duration> within = Optional.empty();
  private OptionalInt crashLimit = OptionalInt.empty();
  private Optional<Strategy> strategy = Optional.empty();
  private OptionalInt limit = OptionalInt.empty();
  private OptionalInt window = OptionalInt.empty();
  private OptionalInt keep = OptionalInt.empty();
  private Optional<StepDefinition.Wait> waiting = Optional.empty();
  private @Nullable EffectBody<@Nullable Object> compensation;
  private boolean configured;

  NodeOptions(FlowDraft flow, String key) {
    this.flow = flow;
    this.key = key;
  }

  /** Says when a body that throws is tried again. */
  public void retry(Retry retry) {
    flow.requireOpen();
    if (isMissing(retry, "retry")) {
      return;
    }
    this.retry = Optional.of(retry);
    this.configured = true;
  }

  /** Says how long an attempt may take. */
  public void timeout(Duration timeout) {
    flow.requireOpen();
    if (isMissing(timeout, "timeout")) {
      return;
    }
    this.timeout = Optional.of(requireTimeout(timeout));
    this.configured = true;
  }

  /** Says how long an attempt may go without progress. */
  public void stallTimeout(Duration stallTimeout) {
    flow.requireOpen();
    if (isMissing(stallTimeout, "stallTimeout")) {
      return;
    }
    this.stallTimeout = Optional.of(requireTimeout(stallTimeout));
    this.configured = true;
  }

  private static Duration requireTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "A time-out must be longer than zero and at most 36500 days, was " + timeout);
    }
    return timeout;
  }

  /** Says how long an await waits for its signal. */
  void within(Duration longest) {
    flow.requireOpen();
    if (longest == null) {
      flow.problem("\"" + key + "\" is given null by within(…): say how long");
      return;
    }
    if (longest.isNegative() || longest.isZero() || longest.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "An await must last longer than zero and at most 36500 days, was " + longest);
    }
    this.within = Optional.of(longest);
  }

  /** Says how many processes may die with it. */
  public void crashLimit(int most) {
    flow.requireOpen();
    if (most < FEWEST_CRASHES || most > MOST_CRASHES) {
      throw new IllegalArgumentException("A crash limit must be 3 to 1000, was " + most);
    }
    this.crashLimit = OptionalInt.of(most);
    this.configured = true;
  }

  /** Says what its failure means. */
  public void strategy(Strategy strategy) {
    flow.requireOpen();
    if (isMissing(strategy, "strategy")) {
      return;
    }
    this.strategy = Optional.of(strategy);
    this.configured = true;
  }

  /** Says how many elements it may yield, or how many turns it may take. */
  public void limit(int most) {
    flow.requireOpen();
    if (most < 1) {
      throw new IllegalArgumentException("A limit must be 1 to 2147483647, was " + most);
    }
    this.limit = OptionalInt.of(most);
    this.configured = true;
  }

  /** Says how many steps of its elements may be live at once. */
  public void window(int most) {
    flow.requireOpen();
    if (most < 1) {
      throw new IllegalArgumentException("A window must be 1 to 2147483647 steps, was " + most);
    }
    this.window = OptionalInt.of(most);
    this.configured = true;
  }

  /** Says how many of its last turns stay visible. */
  public void keep(int turns) {
    flow.requireOpen();
    if (turns < 1 || turns > MOST_KEPT) {
      throw new IllegalArgumentException(
          "A loop keeps 1 to 10000 turns, was " + turns + ": the next one reads the last");
    }
    this.keep = OptionalInt.of(turns);
    this.configured = true;
  }

  /** Says how long it waits before its body runs. */
  public void delay(Duration time) {
    flow.requireOpen();
    if (isMissing(time, "delay")) {
      return;
    }
    if (time.isNegative() || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("A delay must be zero to 36500 days, was " + time);
    }
    if (!time.isZero()) {
      waitFor((now, inputs) -> time);
    }
    this.configured = true;
  }

  void waitFor(StepDefinition.Wait wait) {
    flow.requireOpen();
    this.waiting = Optional.of(wait);
    this.configured = true;
  }

  /**
   * Says how it is undone. The wiring is typed: the value that the body gets was decoded as this
   * node's type.
   */
  @SuppressWarnings("unchecked")
  public void compensate(EffectBody<?> body) {
    flow.requireOpen();
    if (isMissing(body, "compensate")) {
      return;
    }
    this.compensation = (EffectBody<@Nullable Object>) body;
    this.configured = true;
  }

  /** Whether the user said null, which it notes as a mistake. */
  boolean isMissing(@Nullable Object said, String by) {
    if (said == null) {
      flow.problem("\"" + key + "\" is given null by " + by + "(…): leave it out, or say what");
    }
    return said == null;
  }

  /** The names of the options that only a node with a body heeds. */
  List<String> forABody() {
    List<String> said = new ArrayList<>();
    retry.ifPresent(r -> said.add("retry"));
    timeout.ifPresent(t -> said.add("timeout"));
    stallTimeout.ifPresent(t -> said.add("stallTimeout"));
    waiting.ifPresent(w -> said.add("delay"));
    return said;
  }

  Retry retry() {
    return retry.orElse(Retry.standard());
  }

  Optional<Duration> timeout() {
    return timeout;
  }

  Optional<Duration> stallTimeout() {
    return stallTimeout;
  }

  Optional<Duration> within() {
    return within;
  }

  /** How long an await waits at most. */
  Duration longestWait() {
    return within.orElse(LONGEST);
  }

  OptionalInt crashLimit() {
    return crashLimit;
  }

  Optional<Strategy> strategy() {
    return strategy;
  }

  OptionalInt limit() {
    return limit;
  }

  OptionalInt window() {
    return window;
  }

  OptionalInt keep() {
    return keep;
  }

  /** What bounds it, if it is a loop. */
  StepDefinition.Turns turns() {
    return new StepDefinition.Turns(limit.orElse(MOST_TURNS), keep.orElse(TURNS_KEPT));
  }

  Optional<StepDefinition.Wait> waiting() {
    return waiting;
  }

  boolean isCompensated() {
    return compensation != null;
  }

  EffectBody<@Nullable Object> compensation() {
    if (compensation == null) {
      throw new IllegalStateException("Step " + key + " cannot be undone");
    }
    return compensation;
  }

  boolean isConfigured() {
    return configured;
  }
}

package dev.standpipe.schedule;

import dev.standpipe.Pipeline;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.schedule.ScheduleName;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * A schedule as a program declares it: {@link dev.standpipe.StandpipeBuilder#schedule}. Immutable;
 * each method returns a changed copy.
 *
 * <pre>{@code
 * Schedule.of("nightly-billing", billing, Timing.cron("0 0 2 * * *", ZoneId.of("Europe/Berlin")))
 *     .input(at -> new BillingDay(at))
 *     .overlap(Overlap.SKIP)
 *     .missed(Missed.latest());
 * }</pre>
 *
 * @param <I> the type of the pipeline's input
 */
public final class Schedule<I> {
  private final String name;
  private final Pipeline<I, ?> pipeline;
  private final Timing timing;
  private final Policies policies;
  private final Function<? super Instant, ? extends I> input;

  private Schedule(
      String name,
      Pipeline<I, ?> pipeline,
      Timing timing,
      Policies policies,
      Function<? super Instant, ? extends I> input) {
    this.name = name;
    this.pipeline = pipeline;
    this.timing = timing;
    this.policies = policies;
    this.input = input;
  }

  /**
   * A schedule of a pipeline. Of instants that were missed the latest is fired, and runs may
   * overlap, unless told otherwise. A pipeline whose input is not {@code Void} needs {@link
   * #input}.
   *
   * @param name what people call it; of all schedules on a database no other has it
   */
  public static <I> Schedule<I> of(String name, Pipeline<I, ?> pipeline, Timing timing) {
    ScheduleName.require(name);
    Required.given(pipeline, "pipeline of the schedule");
    Required.given(timing, "timing of the schedule");
    return new Schedule<>(
        name,
        pipeline,
        timing,
        Policies.USUAL,
        at -> {
          throw new StandpipeException(
              ErrorCode.INVALID_ARGUMENT,
              "The schedule \"%s\" has no input for its runs: say input(...)".formatted(name));
        });
  }

  /**
   * Gives each run the input that this makes of its instant. It should be quick: 10 seconds at
   * most.
   */
  public Schedule<I> input(Function<? super Instant, ? extends I> fromInstant) {
    return new Schedule<>(
        name,
        pipeline,
        timing,
        policies,
        Required.given(fromInstant, "function that makes the input"));
  }

  /** Gives each run this input. */
  public Schedule<I> input(I always) {
    Required.given(always, "input of the schedule's runs");
    return input(at -> always);
  }

  /** Says what becomes of instants that nobody fired in time. */
  public Schedule<I> missed(Missed policy) {
    return with(
        new Policies(Required.given(policy, "policy"), policies.overlap(), policies.jitter()));
  }

  /** Says what happens while the run of an earlier instant has not ended. */
  public Schedule<I> overlap(Overlap policy) {
    return with(
        new Policies(policies.missed(), Required.given(policy, "policy"), policies.jitter()));
  }

  /**
   * Delays each run by a part of this time, which its instant decides, so that not all begin at
   * once.
   */
  public Schedule<I> jitter(Duration most) {
    return with(
        new Policies(policies.missed(), policies.overlap(), Required.given(most, "jitter")));
  }

  private Schedule<I> with(Policies changed) {
    return new Schedule<>(name, pipeline, timing, changed, input);
  }

  /** What people call it. */
  public String name() {
    return name;
  }

  /** What it starts runs of. */
  public Pipeline<I, ?> pipeline() {
    return pipeline;
  }

  /** When it fires. */
  public Timing timing() {
    return timing;
  }

  /** How it fires. */
  public Policies policies() {
    return policies;
  }

  /** The input of the run of an instant. */
  public I input(Instant at) {
    return input.apply(at);
  }
}

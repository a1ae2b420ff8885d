package dev.standpipe;

import dev.standpipe.info.AttemptOutcome;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What happens when a step body throws: how often it is tried again, and when. Crashes of the
 * process are not the step's fault and never use up retries.
 *
 * <p>Immutable. The default is {@code exponential(1 s)}, three retries, capped at five minutes.
 */
public final class Retry {
  private static final Duration DEFAULT_CAP = Duration.ofMinutes(5);
  private static final Duration NO_CAP = Duration.ofNanos(Long.MAX_VALUE);
  private static final double DEFAULT_JITTER = 0.2;
  private static final Duration SHORTEST_SNOOZE = Duration.ofMillis(100);
  private static final Duration LONGEST_SNOOZE = Duration.ofDays(36_500);

  private final Duration first;
  private final double factor;
  private final Duration cap;
  private final double jitter;
  private final int limit;
  private final @Nullable Predicate<? super Throwable> when; // none: whatever the failure

  private Retry(
      Duration first,
      double factor,
      Duration cap,
      double jitter,
      int limit,
      @Nullable Predicate<? super Throwable> when) {
    this.first = first;
    this.factor = factor;
    this.cap = cap;
    this.jitter = jitter;
    this.limit = limit;
    this.when = when;
  }

  /** Three retries, about 1, 2 and 4 seconds apart. */
  public static Retry standard() {
    return exponential(Duration.ofSeconds(1));
  }

  /** No retries: the first failure is final. */
  public static Retry never() {
    return fixed(Duration.ZERO).limit(0);
  }

  /** Every retry after the same delay, without jitter; three of them unless {@link #limit} says. */
  public static Retry fixed(Duration delay) {
    requireNotNegative(delay, "delay");
    return new Retry(delay, 1, NO_CAP, 0, 3, null);
  }

  /** Delays that double from {@code first} up to five minutes, each ± 20 %. */
  public static Retry exponential(Duration first) {
    requireNotNegative(first, "first delay");
    return new Retry(first, 2, DEFAULT_CAP, DEFAULT_JITTER, 3, null);
  }

  /**
   * What a body throws to be run again later without having failed: {@code throw
   * Retry.after(ofMinutes(5))}. The next try has the same attempt number and all retries it had;
   * the one that ends is on record as {@link AttemptOutcome#SNOOZED}. A body may do so for ever, so
   * it waits at least a tenth of a second, and at most 36500 days, whatever it asks for.
   */
  public static Snooze after(Duration delay) {
    requireNotNull(delay, "delay");
    Duration least = delay.compareTo(SHORTEST_SNOOZE) < 0 ? SHORTEST_SNOOZE : delay;
    return new Snooze(least.compareTo(LONGEST_SNOOZE) > 0 ? LONGEST_SNOOZE : least);
  }

  /** Retries at most {@code retries} times, so a step is tried {@code retries + 1} times. */
  public Retry limit(int retries) {
    if (retries < 0) {
      throw new IllegalArgumentException("A retry limit must be 0 or more, was " + retries);
    }
    return new Retry(first, factor, cap, jitter, retries, when);
  }

  /** No delay is longer than {@code cap}, jitter included. */
  public Retry cap(Duration cap) {
    requireNotNegative(cap, "cap");
    return new Retry(first, factor, cap, jitter, limit, when);
  }

  /** Spreads each delay by ± this share of it, from 0 (none) to 1. */
  public Retry jitter(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("Jitter must be a share from 0 to 1, was " + share);
    }
    return new Retry(first, factor, cap, share, limit, when);
  }

  /**
   * Retries only failures the predicate accepts; any other is final at once, as is one on which the
   * predicate throws.
   */
  public Retry when(Predicate<? super Throwable> predicate) {
    return new Retry(first, factor, cap, jitter, limit, requireNotNull(predicate, "predicate"));
  }

  /** Gives up at once on failures of this type (or a subtype). */
  public Retry giveUpOn(Class<? extends Throwable> type) {
    requireNotNull(type, "type of failures to give up on");
    Predicate<? super Throwable> before = when;
    return when(error -> !type.isInstance(error) && (before == null || before.test(error)));
  }

  /** How many retries follow a first failed attempt at most. */
  public int limit() {
    return limit;
  }

  /**
   * Whether it depends on the failure if there is a retry: on {@link #when} or {@link #giveUpOn}.
   */
  public boolean isSelective() {
    return when != null;
  }

  /** Whether attempt number {@code attempt} (from 1), having failed so, is followed by another. */
  public boolean allows(int attempt, Throwable error) {
    return attempt <= limit && accepts(error);
  }

  /** What the predicate throws is shown with the failure; it must not get in the engine's way. */
  private boolean accepts(Throwable error) {
    Predicate<? super Throwable> predicate = when;
    try {
      return predicate == null || predicate.test(error);
    } catch (Throwable e) { // whatever it is, it must not get any further
      if (e != error) {
        error.addSuppressed(e);
      }
      return false;
    }
  }

  /** How long to wait after attempt number {@code attempt} (from 1), jitter included. */
  public Duration delayAfter(int attempt) {
    double uncapped = nanos(first) * Math.pow(factor, Math.max(0, attempt - 1));
    double capped = Math.min(uncapped, nanos(cap) / (1 + jitter));
    double spread =
        jitter == 0 ? 1 : 1 + jitter * (2 * ThreadLocalRandom.current().nextDouble() - 1);
    return Duration.ofNanos((long) (capped * spread));
  }

  @Override
  public String toString() {
    return "Retry[limit="
        + limit
        + ", first="
        + first
        + ", factor="
        + factor
        + ", cap="
        + cap
        + "]";
  }

  private static double nanos(Duration duration) {
    return (double) duration.getSeconds() * 1e9 + duration.getNano();
  }

  private static <T> T requireNotNull(T given, String what) {
    if (given == null) {
      throw new IllegalArgumentException("A retry's " + what + " is null: give one");
    }
    return given;
  }

  private static void requireNotNegative(Duration duration, String what) {
    if (duration == null || duration.isNegative()) {
      throw new IllegalArgumentException(
          "A retry's " + what + " must be zero or more, was " + duration);
    }
  }
}

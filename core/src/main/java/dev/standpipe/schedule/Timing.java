package dev.standpipe.schedule;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.schedule.CronTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When a schedule fires. Immutable.
 *
 * <pre>{@code
 * Timing.cron("0 30 2 * * *", ZoneId.of("Europe/Berlin")) // every night at half past two
 * Timing.every(Duration.ofMinutes(5))
 * }</pre>
 */
public sealed interface Timing {
  /**
   * By a cron expression: second, minute, hour, day of the month, month, day of the week; or five
   * fields, without the second. {@code L}, {@code W}, {@code #} and {@code @daily} and its like are
   * understood.
   *
   * <p>An expression with fixed hours fires once for each local time: one that a change of the
   * clock leaves out is fired as much later as the clock was put forward, one that comes twice is
   * fired the first time. One that fires every hour, or every so many, goes by the time that
   * passes.
   *
   * @throws StandpipeException with {@code INVALID_ARGUMENT} if it is none, or never fires
   */
  static Timing cron(String expression, ZoneId zone) {
    Required.given(expression, "cron expression");
    Required.given(zone, "time zone");
    return new Cron(expression.strip(), zone, new CronTimes(expression.strip(), zone));
  }

  /**
   * At an interval of a second to 366 days: at its whole multiples since 1970 began in UTC, so that
   * all processes agree and a new release changes nothing.
   */
  static Timing every(Duration interval) {
    Required.given(interval, "interval");
    if (interval.compareTo(Duration.ofSeconds(1)) < 0
        || interval.compareTo(Duration.ofDays(366)) > 0) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "The interval of a schedule must be a second to 366 days, was " + interval);
    }
    return new Every(interval);
  }

  /** The first instant after this one; nothing if there is none any more. */
  Optional<Instant> next(Instant after);

  /** The first instants after this one. */
  default List<Instant> next(Instant after, int count) {
    List<Instant> instants = new ArrayList<>();
    Optional<Instant> next = next(after);
    while (next.isPresent() && instants.size() < count) {
      instants.add(next.get());
      next = next(next.get());
    }
    return instants;
  }

  /** By a cron expression. */
  final class Cron implements Timing {
    private final String expression;
    private final ZoneId zone;
    private final CronTimes times;

    private Cron(String expression, ZoneId zone, CronTimes times) {
      this.expression = expression;
      this.zone = zone;
      this.times = times;
    }

    /** The expression. */
    public String expression() {
      return expression;
    }

    /** Where its times are local. */
    public ZoneId zone() {
      return zone;
    }

    @Override
    public Optional<Instant> next(Instant after) {
      return times.next(after);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Cron cron
          && cron.expression.equals(expression)
          && cron.zone.equals(zone);
    }

    @Override
    public int hashCode() {
      return 31 * expression.hashCode() + zone.hashCode();
    }

    @Override
    public String toString() {
      return expression + " " + zone;
    }
  }

  /**
   * At an interval.
   *
   * @param interval from one instant to the next
   */
  record Every(Duration interval) implements Timing {
    @Override
    public Optional<Instant> next(Instant after) {
      long step = interval.toNanos() / 1000;
      long micros =
          Math.addExact(
              Math.multiplyExact(after.getEpochSecond(), 1_000_000L), after.getNano() / 1000);
      long next = Math.multiplyExact(Math.floorDiv(micros, step) + 1, step);
      return Optional.of(
          Instant.ofEpochSecond(
              Math.floorDiv(next, 1_000_000L), Math.floorMod(next, 1_000_000L) * 1000));
    }

    @Override
    public String toString() {
      return "every " + interval;
    }
  }
}

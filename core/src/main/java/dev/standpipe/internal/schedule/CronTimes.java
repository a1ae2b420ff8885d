package dev.standpipe.internal.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a cron expression in a time zone. Which local times fit, the library says, and is
 * only asked about zones without changes of the clock; what a change means is decided here. See
 * {@link dev.standpipe.schedule.Timing#cron}. Immutable.
 */
public final class CronTimes {
  private static final int UNIX_FIELDS = 5;
  private static final CronParser UNIX = parser(CronType.UNIX);
  private static final CronParser WITH_SECONDS = parser(CronType.SPRING53);

  private final ZoneId zone;
  private final ZoneRules rules;
  private final ExecutionTime times;
  private final boolean everyHour;

  /** Refuses what is no cron expression, and one that never fires. */
  public CronTimes(String expression, ZoneId zone) {
    this.zone = zone;
    this.rules = zone.getRules();
    Cron cron = parse(expression);
    this.times = ExecutionTime.forCron(cron);
    var hours = cron.retrieve(CronFieldName.HOUR).getExpression();
    this.everyHour = hours instanceof Always || hours instanceof Every;
    if (local(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
      throw refused(expression, "it never fires", null);
    }
  }

  private static CronParser parser(CronType type) {
    return new CronParser(CronDefinitionBuilder.instanceDefinitionFor(type));
  }

  private static Cron parse(String expression) {
    boolean unix = expression.split("\\s+").length == UNIX_FIELDS;
    try {
      return (unix ? UNIX : WITH_SECONDS).parse(expression).validate();
    } catch (IllegalArgumentException e) {
      throw refused(expression, String.valueOf(e.getMessage()), e);
    }
  }

  private static StandpipeException refused(
      String expression, String problem, @Nullable Throwable cause) {
    return new StandpipeException(
        ErrorCode.INVALID_ARGUMENT,
        "The cron expression \"%s\" cannot be used: %s. Give second, minute, hour, day of the month, month and day of the week, as in \"0 30 2 * * *\"."
            .formatted(expression, problem),
        cause);
  }

  /** The first instant after this one. */
  public Optional<Instant> next(Instant after) {
    return everyHour ? nextByTimePassed(after) : nextByLocalTime(after);
  }

  /**
   * Within each stretch of one offset by that, so that an hour that comes twice is gone through
   * twice.
   */
  private Optional<Instant> nextByTimePassed(Instant after) {
    Instant from = after;
    while (true) {
      ZoneOffset offset = rules.getOffset(from.plusNanos(1));
      Optional<Instant> found =
          local(LocalDateTime.ofInstant(from, offset)).map(local -> local.toInstant(offset));
      ZoneOffsetTransition change = rules.nextTransition(from.plusNanos(1));
      if (found.isEmpty() || change == null || found.get().isBefore(change.getInstant())) {
        return found;
      }
      from = change.getInstant().minusNanos(1); // the change itself is the first that may fit
    }
  }

  private Optional<Instant> nextByLocalTime(Instant after) {
    Optional<LocalDateTime> local =
        local(LocalDateTime.ofInstant(after, zone).minus(leftOut(after)));
    while (local.isPresent()) {
      Instant instant = ZonedDateTime.ofLocal(local.get(), zone, null).toInstant();
      if (instant.isAfter(after)) {
        return Optional.of(instant);
      }
      local = local(local.get());
    }
    return Optional.empty();
  }

  /**
   * As long as the last change was forward and less than that ago, times that it left out are to
   * come.
   */
  private Duration leftOut(Instant after) {
    ZoneOffsetTransition last = rules.previousTransition(after.plusNanos(1));
    boolean justNow =
        last != null && last.isGap() && after.isBefore(last.getInstant().plus(last.getDuration()));
    return justNow ? last.getDuration() : Duration.ZERO;
  }

  private Optional<LocalDateTime> local(LocalDateTime after) {
    return times.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }
}

package dev.standpipe.internal.engine.schedule;

import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.schedule.StoredSchedules.DueSchedule;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about a schedule that is due. Pure.
 *
 * @param start the instants whose runs are to be started
 * @param skip the instants for which none is, since another run has not ended
 * @param cancel whether the run that has not ended is to be canceled first
 * @param next the next instant
 * @param wake when somebody has to look again
 */
record FiringPlan(
    List<Instant> start,
    List<Instant> skip,
    boolean cancel,
    Optional<Instant> next,
    Optional<Instant> wake) {
  private static final Duration TOLERANCE = Duration.ofSeconds(Missed.TOLERANCE_SECONDS);

  /** How often somebody sees whether the run has ended that an instant waits for. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /** More instants than this are not gone through one by one. */
  private static final int MOST_STEPS = 1000;

  /** Twice as many as may be fired late: a stretch with half of them is too short. */
  private static final int MOST_AT_ONCE = 20_000;

  /** Plans for one. */
  static FiringPlan of(DueSchedule due) {
    ScheduleInfo info = due.info();
    List<Instant> instants = info.paused().isPresent() ? List.of() : due(due);
    Optional<Instant> next =
        info.next().filter(at -> !at.isAfter(due.now())).isPresent() && info.paused().isEmpty()
            ? info.timing().next(due.now())
            : info.next();
    FiringPlan plan = overlapping(due, instants, next);
    if (due.requested().isEmpty()) {
      return plan;
    }
    List<Instant> start = new ArrayList<>(due.requested());
    plan.start.stream().filter(at -> !start.contains(at)).forEach(start::add);
    boolean more = due.requested().size() >= StoredSchedules.REQUESTS_AT_ONCE;
    return new FiringPlan(
        start, plan.skip, plan.cancel, plan.next, more ? Optional.of(due.now()) : plan.wake);
  }

  private static FiringPlan overlapping(
      DueSchedule due, List<Instant> instants, Optional<Instant> next) {
    Optional<Instant> wake = due.info().paused().isPresent() ? Optional.empty() : next;
    if (instants.isEmpty()) {
      return new FiringPlan(List.of(), List.of(), false, next, wake);
    }
    boolean busy = due.unended().isPresent();
    int last = instants.size() - 1;
    return switch (due.info().policies().overlap()) {
      case ALLOW -> new FiringPlan(instants, List.of(), false, next, wake);
      case SKIP ->
          busy
              ? new FiringPlan(List.of(), instants, false, next, wake)
              : new FiringPlan(
                  instants.subList(0, 1), instants.subList(1, last + 1), false, next, wake);
      case CANCEL ->
          new FiringPlan(
              instants.subList(last, last + 1), instants.subList(0, last), busy, next, wake);
      case QUEUE -> queued(due, busy ? List.of() : instants.subList(0, 1), instants, next);
    };
  }

  /** The instants that still wait stay the schedule's next ones. */
  private static FiringPlan queued(
      DueSchedule due, List<Instant> start, List<Instant> instants, Optional<Instant> next) {
    if (start.size() == instants.size()) {
      return new FiringPlan(start, List.of(), false, next, next);
    }
    Instant waiting = instants.get(start.size());
    return new FiringPlan(
        start, List.of(), false, Optional.of(waiting), Optional.of(due.now().plus(LOOK_AGAIN)));
  }

  /** Those to fire of the instants from the schedule's next one until now. */
  private static List<Instant> due(DueSchedule due) {
    Instant now = due.now();
    Optional<Instant> first = due.info().next().filter(at -> !at.isAfter(now));
    if (first.isEmpty()) {
      return List.of();
    }
    Timing timing = due.info().timing();
    Instant inTime = now.minus(TOLERANCE);
    if (!first.get().isBefore(inTime)) {
      return last(timing, first.get(), now, Integer.MAX_VALUE);
    }
    Missed missed = due.info().policies().missed();
    return switch (missed.policy()) {
      case SKIP ->
          last(timing, first.get(), now, 1).stream().filter(at -> !at.isBefore(inTime)).toList();
      case LATEST, ALL -> last(timing, first.get(), now, missed.limit());
    };
  }

  /**
   * The last so many instants from the first one until now. If there are very many, only a stretch
   * before now is gone through, which is made longer until it has enough of them.
   */
  private static List<Instant> last(Timing timing, Instant first, Instant now, int count) {
    List<Instant> instants = upTo(timing, first, now, MOST_STEPS);
    Duration stretch = Duration.ofSeconds(1);
    while (instants.size() >= MOST_STEPS && first.isBefore(now.minus(stretch))) {
      List<Instant> recent =
          upTo(timing, timing.next(now.minus(stretch)).orElse(now), now, MOST_AT_ONCE);
      if (recent.size() >= count) {
        instants = recent;
        break;
      }
      stretch = stretch.multipliedBy(2);
    }
    return List.copyOf(instants.subList(Math.max(0, instants.size() - count), instants.size()));
  }

  private static List<Instant> upTo(Timing timing, Instant first, Instant now, int most) {
    List<Instant> instants = new ArrayList<>();
    Optional<Instant> at = Optional.of(first);
    while (at.isPresent() && !at.get().isAfter(now) && instants.size() < most) {
      instants.add(at.get());
      at = timing.next(at.get());
    }
    return instants;
  }
}

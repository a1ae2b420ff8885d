package dev.standpipe.internal.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.schedule.StoredSchedules.DueSchedule;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Overlap;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which instants are fired, and which are not. */
class FiringPlanTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Timing HOURLY = Timing.every(Duration.ofHours(1));
  private static final Timing SECONDS = Timing.every(Duration.ofSeconds(1));

  private Timing timing = HOURLY;
  private Missed missed = Missed.latest();
  private Overlap overlap = Overlap.ALLOW;
  private Optional<UUID> unended = Optional.empty();
  private Optional<ScheduleInfo.SchedulePause> paused = Optional.empty();
  private List<Instant> requested = List.of();

  private FiringPlan plan(Instant next, Instant now) {
    Policies policies = new Policies(missed, overlap, Duration.ZERO);
    ScheduleInfo info =
        new ScheduleInfo("s", "p", timing, policies, true, Optional.of(next), paused);
    return FiringPlan.of(new DueSchedule(info, 1, null, now, unended, requested));
  }

  private static Instant noon(int hours) {
    return NOON.plus(Duration.ofHours(hours));
  }

  @Test
  void anInstantInTimeFires() {
    FiringPlan plan = plan(NOON, NOON.plusMillis(200));
    assertThat(plan.start()).containsExactly(NOON);
    assertThat(plan.next()).contains(noon(1));
    assertThat(plan.wake()).contains(noon(1));
  }

  @Test
  void allInstantsOfTheLastMinuteFire() {
    timing = SECONDS;
    missed = Missed.skip();
    assertThat(plan(NOON, NOON.plusSeconds(9)).start()).hasSize(10);
  }

  @Test
  void ofMissedInstantsAsManyFireAsThePolicySays() {
    assertThat(plan(NOON, noon(5).plusSeconds(300)).start()).containsExactly(noon(5));
    missed = Missed.all(3);
    assertThat(plan(NOON, noon(5).plusSeconds(300)).start())
        .containsExactly(noon(3), noon(4), noon(5));
    missed = Missed.skip();
    assertThat(plan(NOON, noon(5).plusSeconds(300)).start()).isEmpty();
    assertThat(plan(NOON, noon(5).plusSeconds(300)).next()).contains(noon(6));
    assertThat(plan(NOON, noon(5).plusSeconds(30)).start()).containsExactly(noon(5));
  }

  @Test
  void yearsOfMissedSecondsAreNotGoneThrough() {
    timing = SECONDS;
    missed = Missed.all(10_000);
    Instant later = NOON.plus(Duration.ofDays(3_000));
    List<Instant> start = plan(NOON, later).start();
    assertThat(start).hasSize(10_000).endsWith(later).startsWith(later.minusSeconds(9_999));
  }

  @Test
  void aBusyScheduleSkips() {
    overlap = Overlap.SKIP;
    assertThat(plan(NOON, NOON).start()).containsExactly(NOON);
    unended = Optional.of(UUID.randomUUID());
    FiringPlan plan = plan(NOON, NOON);
    assertThat(plan.start()).isEmpty();
    assertThat(plan.skip()).containsExactly(NOON);
    assertThat(plan.next()).contains(noon(1));
  }

  @Test
  void aBusyScheduleCancels() {
    overlap = Overlap.CANCEL;
    assertThat(plan(NOON, NOON).cancel()).isFalse();
    unended = Optional.of(UUID.randomUUID());
    assertThat(plan(NOON, NOON).cancel()).isTrue();
    assertThat(plan(noon(1), NOON).cancel()).isFalse();
    missed = Missed.all(3);
    FiringPlan several = plan(NOON, noon(2).plusSeconds(61));
    assertThat(several.start()).containsExactly(noon(2));
    assertThat(several.skip()).containsExactly(NOON, noon(1));
  }

  @Test
  void aBusyScheduleQueues() {
    overlap = Overlap.QUEUE;
    missed = Missed.all(2);
    unended = Optional.of(UUID.randomUUID());
    Instant now = noon(3).plusSeconds(90);
    FiringPlan waiting = plan(NOON, now);
    assertThat(waiting.start()).isEmpty();
    assertThat(waiting.next()).contains(noon(2));
    assertThat(waiting.wake()).contains(now.plusSeconds(1));
    unended = Optional.empty();
    FiringPlan first = plan(noon(2), now);
    assertThat(first.start()).containsExactly(noon(2));
    assertThat(first.next()).contains(noon(3));
    FiringPlan last = plan(noon(3), now);
    assertThat(last.start()).containsExactly(noon(3));
    assertThat(last.next()).contains(noon(4));
    assertThat(last.wake()).contains(noon(4));
  }

  @Test
  void aPausedScheduleFiresOnlyWhatIsAskedFor() {
    paused = Optional.of(new ScheduleInfo.SchedulePause(NOON, "ana", "why"));
    requested = List.of(NOON.minusSeconds(7));
    FiringPlan plan = plan(NOON, noon(2));
    assertThat(plan.start()).containsExactly(NOON.minusSeconds(7));
    assertThat(plan.next()).contains(NOON);
    assertThat(plan.wake()).isEmpty();
  }

  @Test
  void whatIsAskedForAndDueStartsOnce() {
    requested = List.of(NOON);
    assertThat(plan(NOON, NOON).start()).containsExactly(NOON);
  }
}

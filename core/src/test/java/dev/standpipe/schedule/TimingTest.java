package dev.standpipe.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When schedules fire (F28: clocks that change). */
class TimingTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static List<String> next(Timing timing, String after, int count) {
    return timing.next(Instant.parse(after), count).stream().map(Instant::toString).toList();
  }

  @Test
  void aLocalTimeThatIsLeftOutFiresLater() {
    Timing nightly = Timing.cron("0 30 2 * * *", BERLIN);
    assertThat(next(nightly, "2026-03-28T00:00:00Z", 3))
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z");
    assertThat(next(nightly, "2026-03-29T01:10:00Z", 1)).containsExactly("2026-03-29T01:30:00Z");
  }

  @Test
  void aLocalTimeThatComesTwiceFiresOnce() {
    Timing nightly = Timing.cron("0 30 2 * * *", BERLIN);
    assertThat(next(nightly, "2026-10-24T00:00:00Z", 3))
        .containsExactly("2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(next(nightly, "2026-10-25T01:10:00Z", 1)).containsExactly("2026-10-26T01:30:00Z");
  }

  @Test
  void everyHalfHourGoesByTheTimeThatPasses() {
    Timing often = Timing.cron("*/30 * * * *", BERLIN);
    assertThat(next(often, "2026-10-24T23:50:00Z", 5))
        .containsExactly(
            "2026-10-25T00:00:00Z",
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T02:00:00Z");
    assertThat(next(often, "2026-03-29T00:40:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
  }

  @Test
  void oddZonesAndWordsAreUnderstood() {
    Timing newYear = Timing.cron("0 0 0 1 1 *", ZoneId.of("Australia/Lord_Howe"));
    assertThat(next(newYear, "2026-03-28T23:50:00Z", 1)).containsExactly("2026-12-31T13:00:00Z");
    assertThat(next(Timing.cron("0 0 12 L * *", BERLIN), "2026-03-29T01:10:00Z", 1))
        .containsExactly("2026-03-31T10:00:00Z");
    assertThat(next(Timing.cron("0 0 12 * * MON#1", BERLIN), "2026-03-29T01:10:00Z", 1))
        .containsExactly("2026-04-06T10:00:00Z");
    assertThat(next(Timing.cron("@daily", BERLIN), "2026-03-29T01:10:00Z", 1))
        .containsExactly("2026-03-29T22:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0 0 0 30 2 *", "nonsense", "61 * * * * *", "", "* * * *", "* * * * * * *"})
  void whatIsNoCronExpressionIsRefused(String expression) {
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Timing.cron(expression, BERLIN))
        .withMessageContaining("\"" + expression + "\" cannot be used")
        .withMessageContaining("0 30 2 * * *");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.5S", "-PT1S", "P367D"})
  void anIntervalIsASecondToAYear(String interval) {
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Timing.every(Duration.parse(interval)))
        .withMessageContaining("must be a second to 366 days, was");
  }

  @Test
  void anIntervalFiresAtItsMultiples() {
    assertThat(next(Timing.every(Duration.ofMinutes(5)), "2026-03-29T01:12:00Z", 2))
        .containsExactly("2026-03-29T01:15:00Z", "2026-03-29T01:20:00Z");
    assertThat(next(Timing.every(Duration.ofHours(1)), "1969-12-31T23:30:00Z", 1))
        .containsExactly("1970-01-01T00:00:00Z");
  }

  @Property(tries = 200)
  void instantsGoForwardAndNoneIsLeftOut(
      @ForAll @IntRange(min = 0, max = 23) int hour,
      @ForAll @IntRange(min = 0, max = 59) int minute,
      @ForAll @LongRange(min = 0, max = 2_000_000_000L) long second) {
    for (ZoneId zone :
        List.of(BERLIN, ZoneId.of("America/St_Johns"), ZoneId.of("Asia/Kathmandu"))) {
      Timing daily = Timing.cron("0 %d %d * * *".formatted(minute, hour), zone);
      Instant after = Instant.ofEpochSecond(second);
      List<Instant> three = daily.next(after, 3);
      assertThat(three.get(0)).isAfter(after);
      assertThat(Duration.between(after, three.get(0))).isLessThan(Duration.ofHours(26));
      assertThat(Duration.between(three.get(0), three.get(1)))
          .isBetween(Duration.ofHours(22), Duration.ofHours(26));
      assertThat(daily.next(three.get(0).minusNanos(1))).contains(three.get(0));
    }
  }
}

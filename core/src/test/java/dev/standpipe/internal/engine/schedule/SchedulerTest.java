package dev.standpipe.internal.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.internal.codec.JacksonCodec;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.schedule.StoredSchedules.NewSchedule;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Timing;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a process tells the database about its schedules, and when. */
class SchedulerTest {
  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "p", String.class, String.class, flow -> flow.input().step("s", String.class, t -> t));
  private final Timing timing = Timing.every(Duration.ofHours(1));
  private final TreeMap<String, ScheduleInfo> rows = new TreeMap<>();
  private final List<String> puts = new ArrayList<>();
  private final AtomicLong openings = new AtomicLong(2);
  private final Definitions none = null; // nothing is due
  private final Scheduler scheduler =
      new Scheduler(
          stored(),
          none,
          List.of(
              Schedule.of("one", pipeline, timing).input("x"),
              Schedule.of("two", pipeline, timing).input("x")),
          new ScheduleInputs(new JacksonCodec()),
          new Scheduler.SchedulerDeps(
              UUID::randomUUID, (run, why) -> {}, () -> {}, new Events(List.of()), openings::get));

  private StoredSchedules stored() {
    return (StoredSchedules)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {StoredSchedules.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "put" -> {
                    for (Object one : (List<?>) args[0]) {
                      NewSchedule written = (NewSchedule) one;
                      puts.add(written.name());
                      rows.put(written.name(), info(written.name(), written.timing()));
                    }
                    yield List.of();
                  }
                  case "declaredFor" -> List.copyOf(rows.values());
                  case "due" -> List.of();
                  case "next" -> Optional.empty();
                  default -> throw new AssertionError(method);
                });
  }

  private static ScheduleInfo info(String name, Timing timing) {
    return new ScheduleInfo(
        name, "p", timing, Policies.USUAL, true, Optional.empty(), Optional.empty());
  }

  @Test
  void aNewReleaseWritesOnlyWhatHasChanged() {
    rows.put("one", info("one", timing));
    rows.put("two", info("two", Timing.every(Duration.ofHours(2))));
    scheduler.perform();
    assertThat(puts).containsExactly("two");
  }

  @Test
  void whatANewerReleaseHasChangedStaysSoWhenAConnectionIsOpenedAgain() {
    scheduler.perform();
    rows.put("one", info("one", Timing.every(Duration.ofHours(2))));
    openings.incrementAndGet();
    scheduler.perform();
    assertThat(puts).containsExactly("one", "two");
  }

  @Test
  void allAreDeclaredOnce() {
    scheduler.perform();
    scheduler.perform();
    assertThat(puts).containsExactly("one", "two");
  }

  @Test
  void whatAFailoverLostIsDeclaredAgain() {
    scheduler.perform();
    rows.remove("two");
    scheduler.perform();
    assertThat(puts).hasSize(2);
    openings.incrementAndGet();
    assertThat(scheduler.perform()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    assertThat(puts).containsExactly("one", "two", "two");
  }
}

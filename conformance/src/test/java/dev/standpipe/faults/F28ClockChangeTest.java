package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.Schedules;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F28: clocks are put forward and back, by law or by hand. Each instant of a schedule fires once.
 */
class F28ClockChangeTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void instantsFireOnceThroughAYearOfClockChangesOnPostgres() {
    fireAYear(PostgresServer.shared().freshDatabase());
  }

  @Test
  void instantsFireOnceThroughAYearOfClockChangesOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      fireAYear(file.dataSource());
    }
  }

  private static void fireAYear(DataSource source) {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "nightly",
            String.class,
            String.class,
            flow -> flow.input().step("note", String.class, text -> text));
    List<String> zones = List.of("Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe");
    Schedule<?>[] schedules =
        zones.stream()
            .map(
                zone ->
                    Schedule.of(zone, pipeline, Timing.cron("0 30 2 * * *", ZoneId.of(zone)))
                        .input(Instant::toString))
            .toArray(Schedule<?>[]::new);
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe standpipe = processes.start(processes.process().schedule(schedules));
      Schedules fired = standpipe.operator("test").schedules();
      await().atMost(PATIENCE).until(() -> fired.list().size() == zones.size());
      Instant from = Instant.parse("2025-01-01T12:00:00Z");
      Instant until = Instant.parse("2026-01-01T12:00:00Z");
      for (String zone : zones) {
        assertThat(fired.backfill(zone, from, until)).as(zone).isEqualTo(365);
      }
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  zones.stream()
                      .allMatch(
                          zone ->
                              fired.history(zone, 1000).stream()
                                  .allMatch(one -> one.outcome() == Firing.FiringOutcome.STARTED)));
      // as if the clock had been set back by a year: what is due again was fired
      String past = processes.isSqlite() ? "1735732800000000" : "timestamptz '2025-01-01 12:00Z'";
      processes.execute(
          "update standpipe_schedule set token = token + 1, next_at = %s, wake_at = %s"
              .formatted(past, past));
      await()
          .atMost(PATIENCE)
          .until(
              () -> fired.list().stream().allMatch(one -> one.next().orElseThrow().isAfter(until)));
      for (String zone : zones) {
        List<Instant> instants = fired.history(zone, 1000).stream().map(Firing::at).toList();
        assertThat(instants).doesNotHaveDuplicates();
        assertThat(instants.stream().filter(at -> at.isBefore(until))).hasSize(365);
      }
      assertThat(processes.query("select count(*) from standpipe_run"))
          .isEqualTo(
              processes.query("select count(*) from standpipe_firing where outcome = 'started'"));
    }
  }
}

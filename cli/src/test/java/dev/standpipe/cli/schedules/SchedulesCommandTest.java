package dev.standpipe.cli.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class SchedulesCommandTest {
  @TempDir private Path directory;

  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "printing",
          String.class,
          String.class,
          flow -> flow.input().step("press", String.class, text -> text + "!"));

  @BeforeEach
  void start() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    try (Standpipe client = Standpipe.on(source).start()) {
      client.start(pipeline, "x");
    }
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private Outcome schedules(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("schedules", command, "--url", url()));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  private Outcome create(String... more) {
    List<String> args = new ArrayList<>(List.of("nightly", "--pipeline", "printing"));
    args.addAll(List.of(more));
    return schedules("create", args.toArray(String[]::new));
  }

  @Test
  void aScheduleIsMadeSeenChangedAndRemoved() {
    Outcome made =
        create("--cron", "0 0 2 * * *", "--zone", "Europe/Berlin", "--input", "\"page\"");
    assertThat(made.err()).isEmpty();
    assertThat(made.out()).startsWith("nightly: it fires next at 2");
    assertThat(schedules("list").out())
        .startsWith(
            "nightly  printing  0 0 2 * * * Europe/Berlin  latest  allow  by an operator  2");
    assertThat(schedules("pause", "nightly", "--reason", "too much").out())
        .isEqualTo("nightly: paused\n");
    assertThat(schedules("pause", "nightly", "--reason", "again").out()).contains("already");
    assertThat(schedules("show", "nightly").out()).contains("too much").doesNotContain("upcoming");
    assertThat(schedules("resume", "nightly").out()).contains("resumed");
    assertThat(schedules("resume", "nightly").out()).contains("it was not paused");
    assertThat(schedules("fire", "nightly").out()).contains("a run is asked for");
    assertThat(
            schedules(
                    "backfill",
                    "nightly",
                    "--from",
                    "2026-01-01T00:00:00Z",
                    "--until",
                    "2026-01-11T00:00:00Z")
                .out())
        .isEqualTo("nightly: 10 instants will be fired\n");
    Outcome shown = schedules("show", "nightly", "--json");
    assertThat(shown.out())
        .contains("\"schedule\":\"nightly\"")
        .contains("\"upcoming\":[\"2")
        .contains("\"outcome\":\"requested\"");
    assertThat(schedules("remove", "nightly").out()).contains("removed");
    assertThat(schedules("list", "--json").out()).isEqualTo("[]\n");
  }

  @Test
  void mistakesAreExplained() {
    assertThat(create("--input", "1").err()).contains("either --cron or --every");
    assertThat(create("--every", "PT5M").err()).contains("--input");
    assertThat(create("--every", "PT5M", "--input", "{").err()).contains("--input is no JSON");
    assertThat(create("--cron", "x", "--input", "1").err()).contains("\"x\" cannot be used");
    assertThat(create("--cron", "0 0 2 * * *", "--zone", "Mars", "--input", "1").err())
        .contains("no time zone \"Mars\"");
    assertThat(
            schedules("create", "a", "--pipeline", "nope", "--every", "PT5M", "--input", "1").err())
        .contains("nope");
    assertThat(schedules("fire", "nope").err()).contains("There is no schedule \"nope\"");
    assertThat(schedules("show", "nope").exitCode()).isNotZero();
    assertThat(Commands.run("schedules").err()).contains("Say what to do");
  }
}

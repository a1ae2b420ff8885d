package dev.standpipe.cli.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
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

final class RunsCommandTest {
  @TempDir private Path directory;

  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "printing",
          String.class,
          String.class,
          flow -> flow.input().step("press", String.class, text -> text + "!"));

  private String graz = "";
  private String oslo = "";

  @BeforeEach
  void start() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    try (Standpipe client = Standpipe.on(source).start()) {
      graz = start(client, "Graz");
      oslo = start(client, "Oslo");
    }
  }

  private String start(Standpipe client, String city) {
    Run<String> run = client.start(pipeline, "x", RunOptions.key(city).label("city", city));
    return run.id().toString();
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private Outcome runs(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("runs", command, "--url", url()));
    args.addAll(List.of(more));
    if (!command.equals("list")) {
      args.addAll(List.of("--by", "ann", "--reason", "why"));
    }
    return Commands.run(args.toArray(String[]::new));
  }

  @Test
  void listsRunsNewestFirst() {
    List<String> lines = runs("list").out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith(oslo + "  printing  running  ").endsWith("  Oslo");
    assertThat(lines.get(1)).startsWith(graz);
    assertThat(runs("list", "--label", "city=Graz").out()).contains(graz).doesNotContain(oslo);
    assertThat(runs("list", "--status", "succeeded,halted").out()).isEmpty();
    assertThat(runs("list", "--limit", "1", "--json").out())
        .startsWith("[{\"run\":\"" + oslo + "\"")
        .doesNotContain(graz);
    assertThat(runs("list", "--since", "2020-01-01", "--until", "2020-01-02").out()).isEmpty();
  }

  @Test
  void cancelsRevivesAndRerunsManyRuns() {
    assertThat(runs("cancel", "--pipeline", "printing", "--dry-run").out().strip())
        .isEqualTo("2 runs would be canceled");
    assertThat(runs("cancel", "--label", "city=Graz", "--json").out())
        .contains("\"dry_run\":false", "\"matched\":1", "\"changed\":1");
    assertThat(runs("revive", "--all").out().strip()).isEqualTo("1 of 1 runs revived");
    assertThat(runs("rerun", "--all", "--since", "2020-01-01T00:00:00Z").out().strip())
        .isEqualTo("2 of 2 runs started again");
    assertThat(runs("list", "--status", "running").out().lines()).hasSize(4);
  }

  @Test
  void pausesAndResumesManyRuns() {
    assertThat(runs("pause", "--label", "city=Graz").out().strip()).isEqualTo("1 of 1 runs paused");
    assertThat(runs("pause", "--all", "--dry-run").out().strip())
        .isEqualTo("1 runs would be paused");
    assertThat(runs("list", "--status", "paused").out()).startsWith(graz).doesNotContain(oslo);
    assertThat(runs("resume", "--all").out().strip()).isEqualTo("1 of 1 runs resumed");
    assertThat(runs("resume", "--status", "running").err())
        .contains("Runs that are running cannot be resumed: name some of [paused]");
  }

  @Test
  void badFiltersAreExplained() {
    Outcome everything = runs("cancel");
    assertThat(everything.exitCode()).isEqualTo(2);
    assertThat(everything.err()).contains("lets every run through");
    assertThat(runs("cancel", "--status", "lost").exitCode()).isEqualTo(2);
    assertThat(runs("cancel", "--status", "succeeded").err())
        .contains("Runs that are succeeded cannot be canceled");
    assertThat(runs("list", "--since", "yesterday").err()).contains("--since is not a time");
    assertThat(runs("list", "--since", "2026-01-02", "--until", "2026-01-01").exitCode())
        .isEqualTo(2);
    assertThat(runs("list", "--label", "city").exitCode()).isEqualTo(2);
    assertThat(runs("list", "--limit", "0").exitCode()).isEqualTo(2);
    assertThat(Commands.run("runs").err()).contains("list, cancel, revive");
  }
}

package dev.standpipe.cli.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import dev.standpipe.info.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class QuarantineCommandTest {
  private static final Pipeline<String, String> PIPELINE =
      Pipeline.define(
          "poison",
          String.class,
          String.class,
          flow -> flow.input().step("work", String.class, text -> text + "!"));

  @TempDir private Path directory;

  private Outcome run(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("quarantine", command, "--url", url()));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private SQLiteDataSource source() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    return source;
  }

  /** A run whose step was with a process that is gone when it had one crash left. */
  private StepId quarantined() throws SQLException {
    try (Standpipe client = Standpipe.on(source()).start()) {
      Run<String> run = client.start(PIPELINE, "x");
      try (Connection connection = source().getConnection();
          Statement statement = connection.createStatement()) {
        UUID dead = UUID.randomUUID();
        statement.execute(
            "insert into standpipe_process (id, name, host, pid, crash_limit, lease_us, lease_expires_at) values ('%s', 'dead', 'here', 1, 10, 1000, 1)"
                .formatted(dead));
        statement.execute(
            "update standpipe_task set state = 1, crashes = 9, owner = '%s'".formatted(dead));
      }
      try (Standpipe process =
          Standpipe.on(source()).serve(PIPELINE).lease(Duration.ofSeconds(5)).start()) {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> process.run(run.id()).status() == RunStatus.HALTED);
      }
      return new StepId(run.id(), "work", 0);
    }
  }

  @Test
  void listsAndShowsQuarantinedSteps() throws SQLException {
    StepId step = quarantined();
    assertThat(run("list").out()).contains(step.toString(), "poison", "10 crashes");
    assertThat(run("list", "--json").out())
        .startsWith("[{")
        .contains("\"step\":\"" + step + "\"", "\"crashes\":10");
    assertThat(run("show", step.toString()).out()).contains("pipeline     poison");
    assertThat(run("show", step.toString(), "--json").out()).contains("\"node\":\"work\"");
  }

  @Test
  void releasesAStep() throws SQLException, InterruptedException {
    StepId step = quarantined();
    Outcome outcome = run("release", step.toString(), "--by", "ann", "--reason", "fixed");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("released, its run goes on");
    assertThat(run("list").out()).contains("No step is in quarantine.");
    assertThat(run("list", "--json").out().strip()).isEqualTo("[]");
    try (Standpipe process = Standpipe.on(source()).serve(PIPELINE).start()) {
      assertThat(process.run(PIPELINE, step.run()).await(Duration.ofSeconds(60))).isEqualTo("x!");
    }
    Outcome again = run("release", step.toString(), "--by", "ann", "--reason", "fixed");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("is not in quarantine");
  }

  @Test
  void discardsAStep() throws SQLException {
    StepId step = quarantined();
    Outcome outcome =
        run("discard", step.toString(), "--by", "ann", "--reason", "a duplicate", "--json");
    assertThat(outcome.out()).contains("\"done\":\"discarded\"");
    assertThat(run("show", step.toString()).exitCode()).isEqualTo(1);
  }

  @Test
  void aDecisionNeedsAnActorAndAReason() {
    assertThat(run("release", "x/y/0").exitCode()).isEqualTo(2);
    Outcome blank = run("release", "x/y/0", "--by", "ann", "--reason", "fixed");
    assertThat(blank.exitCode()).isEqualTo(2);
    assertThat(blank.err()).contains("names no step");
  }

  @Test
  void aForeignDatabaseIsRefused() throws IOException {
    Files.createFile(directory.resolve("x.db"));
    Outcome none = run("list");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("standpipe schema");
    Outcome other = Commands.run("quarantine", "list", "--url", "jdbc:mysql://x/y");
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains("jdbc:postgresql:");
  }

  @Test
  void aMissingSubcommandListsTheSubcommands() {
    Outcome outcome = Commands.run("quarantine");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("list, show, release or discard");
  }
}

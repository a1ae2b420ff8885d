package dev.standpipe.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class DrillTest {
  @TempDir private Path directory;

  /** Everything, on the server it brings along. */
  @Test
  void allDrillsPassOnPostgres() {
    Outcome outcome = Commands.run("drill", "all");
    assertThat(outcome.out())
        .contains(
            "lease_acquired",
            "worker_killed",
            "recovered",
            "worker_frozen",
            "worker_died",
            "step_quarantined",
            "stale_write_blocked",
            "retry_scheduled",
            "partition_began",
            "replies_lost",
            "server_killed")
        .doesNotContain("check_failed")
        .endsWith(Drill.ALL.size() + " passed, 0 failed\n");
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void drillsPassOnSqliteAndLeaveNothingBehind() {
    Path file = directory.resolve("drill.db");
    for (String name : new String[] {"lease-race", "partition", "commit-lost", "zombie"}) {
      Outcome outcome = Commands.run("drill", name, "--json", "--url=jdbc:sqlite:" + file);
      assertThat(outcome.out()).doesNotContain("check_failed").contains("\"passed\":1");
      assertThat(outcome.exitCode()).isZero();
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void refusesAnUnknownDrill() {
    Outcome outcome = Commands.run("drill", "fire");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("There is no drill \"fire\"", "lease-race", "db-restart");
  }
}

package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.server.SqliteFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F32: eight processes work on one SQLite file, and one of them is killed. That the file is busy
 * reaches nobody who starts or reads runs, and nothing is lost or done twice.
 */
class F32SqliteProcessesTest {
  private static final int PROCESSES = 8;
  private static final int STARTERS = 4;
  private static final int STARTS = Soak.count("starts", 15, 1_000);

  /**
   * Eight that share two cores with others take their turns; nobody is to lose a lease for that.
   */
  private static final Duration LEASE = Duration.ofSeconds(10);

  @TempDir private Path directory;

  @Test
  void eightProcessesShareOneFile() {
    try (SqliteFile file = SqliteFile.create();
        EngineFixture processes = new EngineFixture(file.dataSource());
        Workers workers = new Workers(directory)) {
      Standpipe client = processes.client();
      for (int i = 0; i < PROCESSES; i++) {
        workers.hire(
            workers.setup("worker-" + i, file.jdbcUrl(), LEASE, Duration.ofMillis(2)).heap("48m"));
      }
      workers.all().forEach(jvm -> jvm.awaitLine("ready"));
      List<Run<Integer>> runs = new ArrayList<>();
      Racers.race(STARTERS, number -> startOneByOne(client)).forEach(runs::addAll);
      workers.awaitAccepted(20);
      workers.all().get(0).kill();

      workers.assertAllWell(file.dataSource(), runs);
      assertThat(workers.said("SQLITE_BUSY")).isZero();
      assertThat(workers.count(What.STALE)).isZero();
    }
  }

  private static List<Run<Integer>> startOneByOne(Standpipe client) {
    List<Run<Integer>> runs = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      Run<Integer> run = client.start(FaultWorker.flowOfClients(), i);
      run.status();
      runs.add(run);
    }
    return runs;
  }
}

package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F10: the clocks of two processes are an hour fast and an hour slow. Nothing is claimed before its
 * time and no lease counts as lost, since the database's clock alone decides; that nothing in the
 * engine reads another is also checked by core's ArchitectureTest.
 */
class F10JvmClockTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration DELAY = Duration.ofSeconds(3);

  @TempDir private Path directory;

  @Test
  void clocksThatAreAnHourOffChangeNothing() throws IOException, InterruptedException {
    Path library = skewedClock();
    String url = PostgresServer.hasty().freshJdbcUrl();
    DataSource source = PostgresServer.dataSource(url);
    try (EngineFixture processes = new EngineFixture(source);
        Workers workers = new Workers(directory)) {
      for (String skew : List.of("+3600", "-3600")) {
        WorkerJvm worker =
            workers.hire(
                workers
                    .setup("at" + skew, url, LEASE, Duration.ofMillis(20))
                    .environment("LD_PRELOAD", library.toString())
                    .environment("CLOCK_SKEW", skew));
        worker.awaitLine("ready");
        Duration off =
            Duration.between(Instant.now(), Instant.parse(worker.awaitLine("the time is ")));
        assertThat(off.minusSeconds(Long.parseLong(skew)).abs()).isLessThan(Duration.ofMinutes(5));
      }
      Standpipe client = processes.client();
      List<Run<Integer>> runs =
          new ArrayList<>(client.startAll(FaultWorker.flowOfClients(), Collections.nCopies(60, 1)));
      Run<Integer> later =
          client.start(FaultWorker.flowOfClients(), 2, RunOptions.none().delay(DELAY));
      runs.add(later);

      workers.assertAllWell(source, runs);
      assertThat(workers.count("at+3600", What.ACCEPTED)).isPositive();
      assertThat(workers.count("at-3600", What.ACCEPTED)).isPositive();
      assertThat(EngineFixture.query(source, "select count(*) from standpipe_attempt"))
          .as("no false reap")
          .containsExactly("0");
      assertThat(workers.said("event=process_reaped")).isZero();
      assertThat(
              EngineFixture.query(
                  source,
                  "select min(s.finished_at) >= r.created_at + interval '3 seconds'"
                      + " from standpipe_result s join standpipe_run r on r.id = s.run_id"
                      + " where s.node <> '$input' and r.id = '%s' group by r.created_at"
                          .formatted(later.id())))
          .as("no early claim")
          .containsExactly("t");
    }
  }

  /** Compiles what puts the clock of a process wrong. */
  private Path skewedClock() throws IOException, InterruptedException {
    Path library = directory.resolve("skewed-clock.so");
    Path source = directory.resolve("skewed-clock.c");
    try (InputStream code = F10JvmClockTest.class.getResourceAsStream("skewed-clock.c")) {
      Files.copy(code, source);
    }
    try {
      Process compiler =
          new ProcessBuilder("cc", "-shared", "-fPIC", "-o", "" + library, "" + source, "-ldl")
              .inheritIO()
              .start();
      assertThat(compiler.waitFor()).isZero();
      return library;
    } catch (IOException e) {
      throw Needs.unmet("There is no C compiler: " + e.getMessage());
    }
  }
}

package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.StandIn;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import dev.standpipe.error.RunFailedException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F38: values end at the same moment that do not fit into the heap together, and a value that
 * cannot be committed at all. Batches shrink until what fits is committed; what fails alone, fails
 * its step.
 */
class F38LargeBatchTest {
  private static final String TOO_MUCH = "too much to bear";

  @TempDir private Path directory;

  @Test
  void largeValuesAreCommittedInSmallerBatchesOnPostgres() {
    largeValuesAreCommittedInSmallerBatches(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void largeValuesAreCommittedInSmallerBatchesOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      largeValuesAreCommittedInSmallerBatches(file.jdbcUrl());
    }
  }

  private void largeValuesAreCommittedInSmallerBatches(String url) {
    long startedAt = System.nanoTime();
    Pipeline<String, Integer> pipeline = LargeValueWorker.pipeline(new CyclicBarrier(1));
    try (EngineFixture processes = new EngineFixture(PoisonWorker.source(url))) {
      Standpipe client = processes.client();
      List<Run<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < LargeValueWorker.AT_ONCE; i++) {
        runs.add(client.start(pipeline, LargeValueWorker.large()));
      }
      try (WorkerJvm worker =
          WorkerJvm.of(LargeValueWorker.class, "large", directory)
              .heap("160m")
              .survivingOutOfMemory()
              .argument("url", url)
              .start()) {
        await()
            .atMost(PATIENCE.multipliedBy(2))
            .until(
                () ->
                    !worker.isAlive()
                        || runs.stream().allMatch(run -> run.status() == RunStatus.SUCCEEDED));
        assertThat(worker.isAlive()).isTrue();
        System.out.printf(
            "F38: %d values of a megabyte in %d s, %d commits failed%n",
            runs.size(),
            Duration.ofNanos(System.nanoTime() - startedAt).toSeconds(),
            worker.output().stream().filter(line -> line.contains("commit_failed")).count());
      }
    }
  }

  @Test
  void anUncommittableValueFailsAloneOnPostgres() throws InterruptedException {
    anUncommittableValueFailsAlone(PostgresServer.shared().freshDatabase());
  }

  @Test
  void anUncommittableValueFailsAloneOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      anUncommittableValueFailsAlone(file.dataSource());
    }
  }

  /** The driver runs out of memory whenever it is given one certain value. */
  private static void anUncommittableValueFailsAlone(DataSource source)
      throws InterruptedException {
    Pipeline<String, String> pipeline =
        EngineFixture.single("values", (text, ctx) -> text.equals("bad") ? TOO_MUCH : text);
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe standpipe =
          processes.start(Standpipe.on(choking(source)).serve(pipeline).concurrency(50));
      List<Run<String>> before = standpipe.startAll(pipeline, Collections.nCopies(30, "good"));
      Run<String> bad = standpipe.start(pipeline, "bad");
      List<Run<String>> after = standpipe.startAll(pipeline, Collections.nCopies(30, "good"));
      assertThat(EngineFixture.await(before)).hasSize(30);
      assertThat(EngineFixture.await(after)).hasSize(30);
      assertThatExceptionOfType(RunFailedException.class)
          .isThrownBy(() -> bad.await(PATIENCE))
          .withMessageContaining("could not be committed");
      assertThat(bad.info().haltReason()).contains(HaltReason.INVALID_VALUE);
      assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
    }
  }

  private static DataSource choking(DataSource source) {
    return StandIn.of(
        DataSource.class,
        (self, method, args) -> {
          Object answer = StandIn.call(source, method, args);
          return answer instanceof Connection connection
              ? StandIn.of(Connection.class, (line, asked, values) -> on(connection, asked, values))
              : answer;
        });
  }

  private static Object on(Object real, Method method, Object[] args) throws Throwable {
    if (args != null && Arrays.deepToString(args).contains(TOO_MUCH)) {
      throw new OutOfMemoryError("the driver's");
    }
    Object answer = StandIn.call(real, method, args);
    return answer instanceof PreparedStatement statement
        ? StandIn.of(PreparedStatement.class, (self, asked, values) -> on(statement, asked, values))
        : answer;
  }
}

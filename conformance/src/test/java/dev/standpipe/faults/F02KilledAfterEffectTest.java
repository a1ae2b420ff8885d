package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.Databases;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F2: a worker is killed when a body has had its effect and nothing of it is committed. The body
 * runs again, and the effect is asked for under the same idempotency key, so that whoever has it
 * can tell. Every kind of node with a body is killed so once. (Steps whose effect is part of the
 * commit itself: {@link F52TransactionalBodyTest}.)
 */
class F02KilledAfterEffectTest {
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final List<String> STEPS =
      List.of("step/0", "expand/0", "each/0", "each/1", "collapse/0");

  @TempDir private Path directory;

  @Test
  void anEffectIsRepeatedUnderItsKeyOnPostgres() throws InterruptedException {
    anEffectIsRepeatedUnderItsKey(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void anEffectIsRepeatedUnderItsKeyOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      anEffectIsRepeatedUnderItsKey(file.jdbcUrl());
    }
  }

  private void anEffectIsRepeatedUnderItsKey(String url) throws InterruptedException {
    try (EngineFixture processes = new EngineFixture(Databases.source(url))) {
      Run<String> run = processes.client().start(EffectWorker.flow((ctx, text) -> {}), "x");
      for (int kills = 0; !run.status().isTerminal(); kills++) {
        Set<String> before = new HashSet<>(effects());
        try (WorkerJvm worker = worker(url, kills)) {
          await()
              .atMost(PATIENCE)
              .until(() -> run.status().isTerminal() || !before.containsAll(effects()));
          worker.kill();
        }
      }
      assertThat(run.await(PATIENCE)).isEqualTo("x,x1,x2");
    }
    Map<String, List<String>> byStep =
        effects().stream().collect(groupingBy(line -> line.split(" ", -1)[0]));
    assertThat(byStep).containsOnlyKeys(STEPS);
    assertThat(byStep.values())
        .allSatisfy(lines -> assertThat(lines).hasSizeGreaterThan(1).containsOnly(lines.get(0)));
    assertThat(byStep.values()).extracting(lines -> lines.get(0)).doesNotHaveDuplicates();
  }

  private WorkerJvm worker(String url, int number) {
    return WorkerJvm.of(EffectWorker.class, "worker-" + number, directory)
        .argument("url", url)
        .argument("effects", directory.resolve("effects"))
        .argument("lease", LEASE.toMillis())
        .start();
  }

  private List<String> effects() {
    Path file = directory.resolve("effects");
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

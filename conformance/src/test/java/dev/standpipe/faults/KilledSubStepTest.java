package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers are killed in the middle of bodies that make calls under keys and keep checkpoints. A
 * call that has returned is never made again, whoever goes on; one that was on its way is made once
 * more for each death at most. No body begins before a checkpoint that an earlier one was told is
 * kept.
 */
class KilledSubStepTest {
  private static final int KILLS = Integer.getInteger("kills", 8);
  private static final int RUNS = 12;
  private static final Duration LEASE = Duration.ofSeconds(1);

  @TempDir private Path directory;

  @Test
  void aCallThatHasReturnedIsNotMadeAgainOnPostgres() throws InterruptedException {
    aCallThatHasReturnedIsNotMadeAgain(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void aCallThatHasReturnedIsNotMadeAgainOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      aCallThatHasReturnedIsNotMadeAgain(file.jdbcUrl());
    }
  }

  private void aCallThatHasReturnedIsNotMadeAgain(String url) throws InterruptedException {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("sub-steps: seed " + seed + ", " + KILLS + " kills");
    Random random = new Random(seed);
    int kills = 0;
    try (EngineFixture processes = new EngineFixture(Databases.source(url))) {
      List<Run<Integer>> runs =
          processes
              .client()
              .startAll(
                  SubStepWorker.flow((ctx, what) -> {}),
                  new ArrayList<>(Collections.nCopies(RUNS, 1)));
      while (kills < KILLS && !allEnded(runs)) {
        try (WorkerJvm worker = worker(url, kills)) {
          int before = lines().size();
          int more = 1 + random.nextInt(250);
          await().atMost(PATIENCE).until(() -> lines().size() > before + more || allEnded(runs));
          worker.kill();
          kills++;
        }
      }
      try (WorkerJvm last = worker(url, kills)) {
        assertThat(EngineFixture.await(runs))
            .containsOnly(SubStepWorker.CALLS * (SubStepWorker.CALLS - 1) / 2);
        last.kill();
      }
    }
    judge(kills);
  }

  private static boolean allEnded(List<Run<Integer>> runs) {
    return runs.stream().allMatch(run -> run.status().isTerminal());
  }

  /** Each file has the lines of one worker in their order, and the workers came one by one. */
  private void judge(int kills) {
    Set<String> returned = new HashSet<>();
    Map<String, Integer> made = new HashMap<>();
    Map<String, Integer> kept = new HashMap<>();
    for (String line : lines()) {
      String[] words = line.split(" ", -1);
      String call = words[0] + " " + words[3];
      switch (words[2]) {
        case "made" -> {
          assertThat(returned).as("made again").doesNotContain(call);
          made.merge(call, 1, Integer::sum);
        }
        case "returned" -> returned.add(call);
        case "at" -> kept.put(words[0], Integer.parseInt(words[3]));
        default ->
            assertThat(Integer.parseInt(words[3]))
                .as("where a body begins")
                .isGreaterThanOrEqualTo(kept.getOrDefault(words[0], 0));
      }
    }
    assertThat(made).hasSize(RUNS * SubStepWorker.CALLS);
    assertThat(made.values()).allMatch(times -> times <= 1 + kills);
    long again = made.values().stream().mapToInt(times -> times - 1).sum();
    System.out.printf(
        "sub-steps: %d calls, %d of them made again after %d kills%n", made.size(), again, kills);
  }

  private WorkerJvm worker(String url, int number) {
    return WorkerJvm.of(SubStepWorker.class, "worker-" + number, directory)
        .argument("url", url)
        .argument("calls", directory.resolve("calls-" + (100 + number)))
        .argument("lease", LEASE.toMillis())
        .start();
  }

  private List<String> lines() {
    try (var files = Files.list(directory)) {
      List<String> all = new ArrayList<>();
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("calls-")).sorted().toList()) {
        String text = Files.readString(file);
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(all::add);
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

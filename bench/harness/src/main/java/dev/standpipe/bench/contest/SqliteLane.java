package dev.standpipe.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Rounds in one JVM, each on a fresh SQLite file. */
final class SqliteLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Arena arena;
  private final Workload workload;
  private final ContenderProcess process;

  SqliteLane(Arena arena, Workload workload, Entrant entrant) throws Exception {
    this.arena = arena;
    this.workload = workload;
    this.process = arena.processes().take(entrant, workload.jvmOptions());
  }

  @Override
  public String hello() {
    return process.hello();
  }

  @Override
  public void warmUp() throws Exception {
    run();
  }

  @Override
  public Round run() throws Exception {
    Path directory = Files.createTempDirectory("standpipe-bench");
    try {
      String url = "jdbc:sqlite:" + directory.resolve("bench.db");
      process.prepare(workload.orderFor(process.entrant()).on(url));
      process.go();
      String result = process.await("result", PATIENCE);
      process.await("closed", PATIENCE);
      return Meter.parse(result);
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @Override
  public void close() {
    arena.processes().release(process, workload.jvmOptions());
  }
}

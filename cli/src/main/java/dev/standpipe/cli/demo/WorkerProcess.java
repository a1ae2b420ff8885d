package dev.standpipe.cli.demo;

import dev.standpipe.cli.Signals;
import dev.standpipe.cli.database.OwnDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A worker JVM as its parent sees it. Thread-safe. */
final class WorkerProcess {
  /** What the names of workers start with. */
  static final String NAME = "worker-";

  private final int number;
  private final Process process;
  private final Path log;
  private final AtomicInteger staleWrites = new AtomicInteger();
  private volatile boolean ready;
  private volatile boolean killed;

  private WorkerProcess(int number, Process process, Path log) {
    this.number = number;
    this.process = process;
    this.log = log;
  }

  /**
   * What all workers of a demo have in common.
   *
   * @param database their database
   * @param directory where they keep their files
   */
  record Site(OwnDatabase database, Path directory) {
    Path ledger() {
      return directory.resolve("ledger");
    }
  }

  /** Starts a worker; its events go to this consumer as well. */
  static WorkerProcess start(int number, Site site, Consumer<WorkerEvent> events) {
    Path log = site.directory().resolve(NAME + number + ".log");
    ProcessBuilder builder = new ProcessBuilder(command(number, site));
    site.database().address().writeTo(builder.environment());
    builder.redirectError(log.toFile());
    try {
      WorkerProcess worker = new WorkerProcess(number, builder.start(), log);
      Thread reader = new Thread(() -> worker.listen(events), NAME + number);
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a library unpacks goes to the demo's files: one that is killed does not delete it. */
  private static List<String> command(int number, Site site) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-Djava.io.tmpdir=" + site.directory(),
        "-cp",
        System.getProperty("java.class.path"),
        "dev.standpipe.cli.Main",
        "demo-worker",
        "--name=" + NAME + number,
        "--table-prefix=" + site.database().tablePrefix(),
        "--ledger=" + site.ledger());
  }

  private void listen(Consumer<WorkerEvent> events) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        WorkerEvent.parse(line).ifPresent(event -> heard(event, events));
      }
    } catch (IOException e) {
      // it was killed; what it said before was heard
    }
  }

  private void heard(WorkerEvent event, Consumer<WorkerEvent> events) {
    if (event instanceof WorkerEvent.Ready) {
      ready = true;
    } else if (event instanceof WorkerEvent.Stale) {
      staleWrites.incrementAndGet();
    }
    events.accept(event);
  }

  /** Its name in the database. */
  String name() {
    return NAME + number;
  }

  /** Its name in the demo's story. */
  String title() {
    return "worker " + number;
  }

  /** Whether it serves the pipeline. */
  boolean isServing() {
    return ready && process.isAlive();
  }

  /** Whether it ended, and not because it was killed. */
  boolean hasFailed() {
    return !killed && !process.isAlive();
  }

  int staleWrites() {
    return staleWrites.get();
  }

  /** SIGKILL: it gets no chance to say good-bye. */
  void kill() throws InterruptedException {
    killed = true;
    process.destroyForcibly().waitFor();
  }

  /** SIGSTOP: it stands still without knowing, as in a long garbage collection. */
  void freeze() throws InterruptedException {
    Signals.send("STOP", process.pid());
  }

  /** SIGCONT: it goes on as if nothing had happened. */
  void thaw() throws InterruptedException {
    Signals.send("CONT", process.pid());
  }

  /** Lets it finish within this time. */
  void stop(Duration within) throws InterruptedException {
    killed = true;
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // it has gone already
    }
    if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
    }
  }

  /** The last thing it wrote to its log. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log);
      return lines.isEmpty() ? "(nothing)" : lines.get(lines.size() - 1);
    } catch (IOException e) {
      return "(nothing)";
    }
  }
}

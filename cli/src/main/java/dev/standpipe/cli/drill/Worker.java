package dev.standpipe.cli.drill;

import dev.standpipe.cli.Signals;
import dev.standpipe.cli.database.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A worker JVM of a drill, as the stage sees it. Thread-safe. */
final class Worker implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Process process;
  private final Map<String, Integer> heard = new ConcurrentHashMap<>();

  private Worker(Process process) {
    this.process = process;
  }

  /**
   * Where a worker is put.
   *
   * @param address its database
   * @param tablePrefix what its tables are called
   * @param directory for what libraries unpack: one that is killed does not delete it
   */
  record Site(Address address, String tablePrefix, Path directory) {}

  /** Starts one, see {@link DrillWorkerCommand}; its events go into the story. */
  static Worker start(String name, Site site, Story story, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + site.directory(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.standpipe.cli.Main",
                "drill-worker",
                "--name=" + name,
                "--table-prefix=" + site.tablePrefix()));
    command.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(command);
    site.address().writeTo(builder.environment());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Worker worker = new Worker(builder.start());
      Thread reader = new Thread(() -> worker.listen(story), "drill-" + name);
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void listen(Story story) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] word = line.split(" ", 2);
        heard.merge(word[0], 1, Integer::sum);
        story.tell(word[0], word.length > 1 ? word[1] : "");
      }
    } catch (IOException e) {
      // it was killed; what it said before was heard
    }
  }

  /** How often it has told of this event. */
  int heard(String event) {
    return heard.getOrDefault(event, 0);
  }

  void freeze() throws InterruptedException {
    Signals.send("STOP", process.pid());
  }

  void thaw() throws InterruptedException {
    Signals.send("CONT", process.pid());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Lets it finish what it holds and go; what it gives back has not crashed. */
  void dismiss() throws InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // it is dead already
    }
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      kill();
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

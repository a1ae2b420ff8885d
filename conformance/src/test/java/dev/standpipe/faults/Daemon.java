package dev.standpipe.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A program of the operating system that serves in the background, in a directory of its own where
 * its log is. Servers refuse to run as root: for root, this gives the directory to nobody and runs
 * the program as nobody.
 */
final class Daemon implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int NOBODY = 65534;
  private static final List<Path> PLACES =
      List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"), Path.of("/usr/local/bin"));

  private final Process process;
  private final Path log;

  private Daemon(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Where this program is. A test that needs it and does not find it cannot be done here. */
  static Path program(String name) {
    return PLACES.stream()
        .map(place -> place.resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> Needs.unmet(name + " is not installed"));
  }

  /** Starts a program in this directory. */
  static Daemon start(Path directory, List<String> command) {
    List<String> whole = new ArrayList<>();
    Path log = directory.resolve("daemon.log");
    try {
      if (System.getProperty("user.name").equals("root")) {
        Files.setAttribute(directory, "unix:uid", NOBODY);
        whole.addAll(
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
      }
      whole.addAll(command);
      Process process =
          new ProcessBuilder(whole)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new Daemon(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it has written. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until somebody answers on this port. */
  void awaitPort(int port) {
    try {
      await().atMost(PATIENCE).until(() -> !process.isAlive() || Loopback.answers(port));
    } catch (ConditionTimeoutException e) {
      close();
    }
    if (!process.isAlive()) {
      throw new IllegalStateException(log());
    }
  }

  /** Kills it on the spot: SIGKILL. */
  @Override
  public void close() {
    process.destroyForcibly();
    await().atMost(PATIENCE).until(() -> !process.isAlive());
  }
}

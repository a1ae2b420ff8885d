package dev.standpipe.supervisor;

import dev.standpipe.internal.engine.Roster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A child JVM as its supervisor sees it. Thread-safe. */
final class Child {
  private final int number;
  private final Process process;
  private final Path file;
  private final Roster roster;
  private final long startedAt = System.nanoTime();

  private Child(int number, Process process, Path file) {
    this.number = number;
    this.process = process;
    this.file = file;
    this.roster = new Roster(file);
  }

  /** Starts one; whoever wants to know is told when it has ended. */
  static Child start(int number, Launch launch, Path file, Runnable onExit) {
    Child child = new Child(number, launch.start(file), file);
    CompletableFuture<Void> unused = child.process.onExit().thenRun(onExit);
    return child;
  }

  int number() {
    return number;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  Duration lived() {
    return Duration.ofNanos(System.nanoTime() - startedAt);
  }

  /** Every process id it has had. */
  List<UUID> ids() {
    return roster.read();
  }

  /** The process id it has at present, if it has joined. */
  Optional<UUID> id() {
    List<UUID> ids = ids();
    return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(ids.size() - 1));
  }

  /** SIGTERM: asks it to stop. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  /** SIGQUIT: its JVM prints what its threads do. Java itself can send no such signal. */
  void dumpThreads() throws IOException {
    new ProcessBuilder("sh", "-c", "kill -QUIT " + pid()).inheritIO().start();
  }

  /** Deletes its roster, once nothing in it matters any more. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      file.toFile().deleteOnExit();
    }
  }
}

package dev.standpipe.supervisor;

import dev.standpipe.internal.engine.lease.ProcessIdFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A child JVM as its supervisor sees it. Thread-safe. */
final class Child {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");

  private final int number;
  private final Process process;
  private final Path file;
  private final ProcessIdFile roster;
  private final long startedAt = System.nanoTime();
  private final Set<UUID> known = new LinkedHashSet<>();

  private Child(int number, Process process, Path file) {
    this.number = number;
    this.process = process;
    this.file = file;
    this.roster = new ProcessIdFile(file);
  }

  /** Starts a child process, and calls {@code onExit} when it has ended. */
  static Child start(int number, Launch launch, Path file, Runnable onExit) {
    Child child = new Child(number, launch.start(file), file);
    try {
      CompletableFuture<Void> unused = child.process.onExit().thenRun(onExit);
    } catch (RuntimeException | Error e) { // no thread waits for it: the next look sees its end
      LOG.warn("event=child_not_awaited child={} : its end will be noticed late", number, e);
    }
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

  /** Every process id it has had, as far as was ever seen: its roster may be gone by now. */
  synchronized List<UUID> ids() {
    known.addAll(roster.read());
    return List.copyOf(known);
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

package dev.standpipe.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Undoes what the demo has set up, last things first: when it is closed, or when the user presses
 * Ctrl-C. Whoever comes second waits for the first. Thread-safe.
 */
final class CleanUp implements AutoCloseable {
  private final Deque<AutoCloseable> things = new ArrayDeque<>();
  private final Thread hook = new Thread(this::interrupted, "demo-clean-up");
  private final Thread demo = Thread.currentThread();
  private volatile boolean interrupted;

  CleanUp() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Adds something to be closed, before all that was added earlier. */
  synchronized <T extends AutoCloseable> T add(T thing) {
    if (interrupted) {
      closeQuietly(thing);
      throw new IllegalStateException("The demo is being stopped");
    }
    things.push(thing);
    return thing;
  }

  /** Opens something that must not be half open when it is closed: closing waits for it. */
  synchronized <T extends AutoCloseable> T open(Supplier<T> opening) {
    return add(opening.get());
  }

  /** Makes a directory that will be deleted with all that is in it. */
  Path newDirectory() throws IOException {
    Path directory =
        Files.createTempDirectory("standpipe-demo-" + ProcessHandle.current().pid() + "-");
    add(() -> delete(directory));
    return directory;
  }

  /** Whether the demo was interrupted: whatever fails from then on fails because of that. */
  boolean isInterrupted() {
    return interrupted;
  }

  @Override
  public void close() {
    closeAll();
    if (!interrupted) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private void interrupted() {
    interrupted = true;
    demo.interrupt(); // whatever it waits for is not worth waiting for any more
    closeAll();
  }

  private synchronized void closeAll() {
    while (!things.isEmpty()) {
      closeQuietly(things.pop());
    }
  }

  private static void closeQuietly(AutoCloseable thing) {
    try {
      thing.close();
    } catch (Exception e) {
      // the rest is to be cleaned up nevertheless
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(directory)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path file : deepestFirst) {
      Files.deleteIfExists(file);
    }
  }
}

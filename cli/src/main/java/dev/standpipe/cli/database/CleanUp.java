package dev.standpipe.cli.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Undoes what a command has set up, last things first: when it is closed, or when the user presses
 * Ctrl-C. Whoever comes second waits for the first. Thread-safe.
 */
public final class CleanUp implements AutoCloseable {
  private final Deque<AutoCloseable> things = new ArrayDeque<>();
  private final Thread hook = new Thread(this::interrupted, "clean-up");
  private final Thread command = Thread.currentThread();
  private final BooleanSupplier outer;
  private volatile boolean interrupted;

  /** Nothing to undo yet. */
  public CleanUp() {
    this(() -> false);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private CleanUp(BooleanSupplier outer) {
    this.outer = outer;
  }

  /** One for a part of the command: closed with the part, and on Ctrl-C before all of this. */
  public CleanUp nested() {
    return add(new CleanUp(this::isInterrupted));
  }

  /** Adds something to be closed, before all that was added earlier. */
  public synchronized <T extends AutoCloseable> T add(T thing) {
    if (isInterrupted()) {
      closeQuietly(thing);
      throw new IllegalStateException("The command is being stopped");
    }
    things.push(thing);
    return thing;
  }

  /** Opens something that must not be half open when it is closed: closing waits for it. */
  public synchronized <T extends AutoCloseable> T open(Supplier<T> opening) {
    return add(opening.get());
  }

  /** Makes a directory that will be deleted with all that is in it. */
  public Path newDirectory() throws IOException {
    Path directory = Files.createTempDirectory("standpipe-" + ProcessHandle.current().pid() + "-");
    add(() -> delete(directory));
    return directory;
  }

  /** Whether the command was interrupted: whatever fails from then on fails because of that. */
  public boolean isInterrupted() {
    return interrupted || outer.getAsBoolean();
  }

  @Override
  public void close() {
    closeAll();
    if (!isInterrupted()) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private void interrupted() {
    interrupted = true;
    command.interrupt(); // whatever it waits for is not worth waiting for any more
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

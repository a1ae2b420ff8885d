package dev.standpipe.conformance;

import dev.standpipe.StepContext;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Listener;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * What a process did, in a file that survives it: a line for each thing, on the disk before the
 * process goes on. Compared with the database afterwards, it shows what really happened.
 * Thread-safe.
 */
public final class History implements Listener, AutoCloseable {
  /** A stream and not a channel, which an interrupted body would close for all. */
  private final FileOutputStream file;

  private final String process;

  private History(FileOutputStream file, String process) {
    this.file = file;
    this.process = process;
  }

  /** What happened to a try, or to a run. */
  public enum What {
    /** A start returned. */
    ACKNOWLEDGED,
    /** Its body began. */
    STARTED,
    /** Its body returned. */
    ENDED,
    /** Its body was interrupted. */
    INTERRUPTED,
    /** Its success was committed. */
    ACCEPTED,
    /** Its failure was committed. */
    FAILED,
    /** Its outcome was refused. */
    STALE,
    /** It was given back. */
    RELEASED,
    /** Its run ended with it. */
    RUN_ENDED
  }

  /**
   * A line of a history.
   *
   * @param what what happened
   * @param step the step it happened to
   * @param attempt the number of the try
   * @param token the token of the try
   * @param at when, on the monotonic clock that all processes of a machine share
   * @param process whose history it is
   */
  public record Entry(What what, Step step, int attempt, long token, long at, String process) {
    /** The line as the checker takes it. */
    dev.standpipe.checker.Entry evidence() {
      return new dev.standpipe.checker.Entry(
          dev.standpipe.checker.What.valueOf(what.name()),
          at,
          process,
          new dev.standpipe.checker.Step(step.run(), step.node(), step.index()),
          attempt,
          token);
    }

    private static Entry of(dev.standpipe.checker.Entry line) {
      dev.standpipe.checker.Step step = line.step();
      return new Entry(
          What.valueOf(line.what().name()),
          new Step(step.run(), step.node(), step.index()),
          line.attempt(),
          line.token(),
          line.at(),
          line.process());
    }
  }

  /**
   * A step of a run.
   *
   * @param run the run
   * @param node the key of the node
   * @param index the index
   */
  public record Step(UUID run, String node, int index) {}

  /** Appends to this file, in the name of the process it is named after. */
  public static History appendTo(Path file) {
    try {
      String process = String.valueOf(file.getFileName()).replaceFirst("\\.history$", "");
      return new History(new FileOutputStream(file.toFile(), true), process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Notes what a body tells of itself. */
  public void note(What what, StepContext ctx) {
    append(what, new Event.Step(ctx.runId(), ctx.node(), ctx.index(), ctx.token(), ctx.attempt()));
  }

  /** Notes that a start has returned. */
  public void acknowledge(UUID run) {
    append(What.ACKNOWLEDGED, run);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.ExecutionSucceeded e) {
      append(What.ACCEPTED, e.step());
    } else if (event instanceof Event.ExecutionFailed e) {
      append(What.FAILED, e.step());
    } else if (event instanceof Event.StaleWriteBlocked e) {
      append(What.STALE, e.step());
    } else if (event instanceof Event.StepReleased e) {
      append(What.RELEASED, e.step());
    } else if (event instanceof Event.RunFinished e) {
      append(What.RUN_ENDED, e.run());
    }
  }

  private void append(What what, UUID run) {
    append(what, new Event.Step(run, dev.standpipe.checker.Step.NONE, 0, 0, 0));
  }

  private void append(What what, Event.Step step) {
    Entry entry =
        new Entry(
            what,
            new Step(step.run(), step.node(), step.index()),
            step.attempt(),
            step.token(),
            System.nanoTime(),
            process);
    String line = entry.evidence().line() + "\n";
    try {
      file.write(line.getBytes(StandardCharsets.UTF_8)); // one write, so lines do not mix
      file.getFD().sync();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a history; a last line that was not finished is left out. */
  public static List<Entry> read(Path file) {
    try {
      return Files.exists(file)
          ? dev.standpipe.checker.Entry.read(file).stream().map(Entry::of).toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

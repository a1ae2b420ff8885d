package dev.standpipe.testkit;

import dev.standpipe.StepContext;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Listener;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * What a process did, in a file that survives it: a line for each thing, on the disk before the
 * process goes on. Compared with the database afterwards, it shows what really happened.
 * Thread-safe.
 */
public final class History implements Listener, AutoCloseable {
  /** A stream and not a channel, which an interrupted body would close for all. */
  private final FileOutputStream file;

  private History(FileOutputStream file) {
    this.file = file;
  }

  /** What happened to a try. */
  public enum What {
    /** Its body began. */
    STARTED,
    /** Its body returned. */
    ENDED,
    /** Its body was interrupted. */
    INTERRUPTED,
    /** Its outcome was committed. */
    ACCEPTED,
    /** Its outcome was refused. */
    STALE,
    /** It was given back. */
    RELEASED
  }

  /**
   * A line of a history.
   *
   * @param what what happened
   * @param step the step it happened to
   * @param attempt the number of the try
   * @param token the token of the try
   */
  public record Entry(What what, Step step, int attempt, long token) {}

  /**
   * A step of a run.
   *
   * @param run the run
   * @param node the key of the node
   * @param index the index
   */
  public record Step(UUID run, String node, int index) {}

  /** Appends to this file. */
  public static History appendTo(Path file) {
    try {
      return new History(new FileOutputStream(file.toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Notes what a body tells of itself. */
  public void note(What what, StepContext ctx) {
    append(what, new Event.Step(ctx.runId(), ctx.node(), ctx.index(), ctx.token(), ctx.attempt()));
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.ExecutionSucceeded e) {
      append(What.ACCEPTED, e.step());
    } else if (event instanceof Event.StaleWriteBlocked e) {
      append(What.STALE, e.step());
    } else if (event instanceof Event.StepReleased e) {
      append(What.RELEASED, e.step());
    }
  }

  private void append(What what, Event.Step step) {
    String line =
        String.format(
            Locale.ROOT,
            "%s %s %s %d %d %d%n",
            what,
            step.run(),
            step.node(),
            step.index(),
            step.attempt(),
            step.token());
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
      String text = Files.exists(file) ? Files.readString(file) : "";
      List<Entry> entries = new ArrayList<>();
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(History::parse)
          .forEach(entries::add);
      return entries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry parse(String line) {
    String[] word = line.split(" ", -1);
    return new Entry(
        What.valueOf(word[0]),
        new Step(UUID.fromString(word[1]), word[2], Integer.parseInt(word[3])),
        Integer.parseInt(word[4]),
        Long.parseLong(word[5]));
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

package dev.standpipe.internal.engine.lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process ids a supervised JVM has had, in a file its supervisor has named. When the JVM dies,
 * the supervisor knows from it, and from nothing it would have to guess such as an operating
 * system's process number, which leases died with it.
 */
public final class ProcessIdFile {
  /** The system property that names the file. */
  public static final String PROPERTY = "standpipe.roster";

  private static final Logger LOG = LoggerFactory.getLogger(ProcessIdFile.class);
  private static final Predicate<String> LINE =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").asMatchPredicate();
  private static final int TERMINATED = 128 + 15;

  private final Optional<Path> file;

  /** Kept in this file. */
  public ProcessIdFile(Path file) {
    this(Optional.of(file));
  }

  private ProcessIdFile(Optional<Path> file) {
    this.file = file;
  }

  /** The one of this JVM: kept if it is supervised, forgotten otherwise. */
  public static ProcessIdFile ofThisJvm() {
    return Supervised.ROSTER;
  }

  /** Adds an id, before its process can hold anything. */
  public void add(UUID process) {
    file.ifPresent(path -> append(path, process));
  }

  /** A supervisor that is not told recovers the work all the same, though not at once. */
  private static void append(Path path, UUID process) {
    try {
      Files.writeString(path, process + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      LOG.warn("event=roster_failed : the supervisor will not know process {}", process, e);
    }
  }

  /**
   * All ids, the newest last; a line that is being written, or was cut short on a full disk, does
   * not count.
   */
  public List<UUID> read() {
    if (file.isEmpty() || !Files.exists(file.get())) {
      return List.of();
    }
    try {
      String text = Files.readString(file.get());
      return text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .filter(LINE)
          .map(UUID::fromString)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("event=roster_failed : cannot read {}", file.get(), e);
      return List.of();
    }
  }

  /** A child never outlives its supervisor: nobody would watch it, and another takes its place. */
  private static final class Supervised {
    static final ProcessIdFile ROSTER =
        new ProcessIdFile(Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of));

    static {
      if (ROSTER.file.isPresent()) {
        ProcessHandle.current().parent().ifPresentOrElse(Supervised::endWith, Supervised::stop);
      }
    }

    private static void endWith(ProcessHandle supervisor) {
      CompletableFuture<Void> unused = supervisor.onExit().thenRun(Supervised::stop);
    }

    private static void stop() {
      LOG.warn("event=supervisor_gone : stopping in good order");
      Runtime.getRuntime().exit(TERMINATED);
    }
  }
}

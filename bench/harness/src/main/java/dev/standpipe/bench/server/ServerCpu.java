package dev.standpipe.bench.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The processor time of a PostgreSQL server on this machine: of its first process, of those it has
 * now, and of those that have ended, which the first has inherited.
 */
final class ServerCpu {
  private static final Path PROC = Path.of("/proc");
  private static final double TICKS_PER_SECOND = 100;

  private final long first;

  /** Of the server that one of these processes belongs to. */
  ServerCpu(long backend) {
    this.first =
        Stat.of(backend).filter(Stat::isPostgres).map(stat -> stat.number(Stat.PARENT)).orElse(0L);
  }

  /** Seconds so far; not a number if the server is not on this machine. */
  double seconds() {
    Optional<Stat> parent = Stat.of(first).filter(Stat::isPostgres);
    if (parent.isEmpty()) {
      return Double.NaN;
    }
    long ticks = parent.get().ownTicks() + parent.get().inheritedTicks();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path one : all) {
        ticks +=
            Stat.of(Long.parseLong(one.getFileName().toString()))
                .filter(stat -> stat.number(Stat.PARENT) == first)
                .map(Stat::ownTicks)
                .orElse(0L);
      }
    } catch (IOException e) {
      return Double.NaN;
    }
    return ticks / TICKS_PER_SECOND;
  }

  /** A line of /proc/PID/stat: the name, and the fields after it. */
  private record Stat(String name, List<String> fields) {
    static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int ENDED_USER = 13;
    private static final int ENDED_SYSTEM = 14;

    static Optional<Stat> of(long pid) {
      try {
        String line = Files.readString(PROC.resolve(pid + "/stat"));
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        return Optional.of(
            new Stat(
                line.substring(open + 1, close),
                List.of(line.substring(close + 2).split(" ", -1))));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    boolean isPostgres() {
      return name.startsWith("postgres");
    }

    long number(int field) {
      return Long.parseLong(fields.get(field));
    }

    long ownTicks() {
      return number(USER) + number(SYSTEM);
    }

    long inheritedTicks() {
      return number(ENDED_USER) + number(ENDED_SYSTEM);
    }
  }
}

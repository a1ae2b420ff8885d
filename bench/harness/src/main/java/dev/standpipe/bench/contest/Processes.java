package dev.standpipe.bench.contest;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts the JVMs of contenders. To save time it can keep them from one workload to the next, each
 * its contender's own all the same. Not thread-safe.
 */
public final class Processes implements AutoCloseable {
  private final Home home;
  private final boolean keep;
  private final Map<Key, ContenderProcess> kept = new HashMap<>();

  /**
   * Starts them from here.
   *
   * @param home where the contenders are
   * @param keep whether to keep them
   */
  public Processes(Home home, boolean keep) {
    this.home = home;
    this.keep = keep;
  }

  /**
   * Where the contenders are.
   *
   * @param now the directory {@code bench} of this source tree
   * @param before that of the older one, if there is one
   */
  public record Home(Path now, Optional<Path> before) {
    private Path of(Entrant entrant) {
      return entrant == Entrant.BEFORE ? before.orElseThrow() : now;
    }
  }

  /** A JVM that nobody else uses. */
  ContenderProcess take(Entrant entrant, List<String> jvmOptions) throws Exception {
    @Nullable ContenderProcess process = kept.remove(new Key(entrant, jvmOptions));
    return process != null ? process : start(entrant, jvmOptions);
  }

  /** A new JVM, to be closed by who asked for it. */
  ContenderProcess start(Entrant entrant, List<String> jvmOptions) throws Exception {
    return ContenderProcess.start(entrant, home.of(entrant), jvmOptions);
  }

  /** Gives one back, or ends it. */
  void release(ContenderProcess process, List<String> jvmOptions) {
    if (keep && process.isUsable()) {
      kept.put(new Key(process.entrant(), jvmOptions), process);
    } else {
      process.close();
    }
  }

  @Override
  public void close() {
    kept.values().forEach(ContenderProcess::close);
    kept.clear();
  }

  private record Key(Entrant entrant, List<String> jvmOptions) {}
}

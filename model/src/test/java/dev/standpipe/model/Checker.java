package dev.standpipe.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;

/**
 * Runs TLC on the specifications in {@code docs/models}, each time in a JVM of its own: it keeps
 * state for as long as its JVM lives, and ends it when it is through.
 */
final class Checker {
  /** Where the specifications are. */
  static final Path MODELS = Path.of("..", "docs", "models").toAbsolutePath().normalize();

  private static final long PATIENCE_SECONDS = 180;
  private static final Pattern DISTINCT =
      Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct states found");

  private final Path scratch;

  Checker(Path scratch) {
    this.scratch = scratch;
  }

  /**
   * What TLC had to say.
   *
   * @param report all of it
   */
  record Verdict(String report) {
    /** How many different states it has looked at. */
    long states() {
      Matcher matcher = DISTINCT.matcher(report);
      return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Whether it says this on a line of its own. */
    boolean says(String line) {
      return report.lines().anyMatch(line::equals);
    }
  }

  /** Checks a module as a configuration says. */
  Verdict check(String module, String config) {
    try {
      Path report = scratch.resolve(config + ".txt");
      Process tlc =
          new ProcessBuilder(command(module, config))
              .directory(MODELS.toFile())
              .redirectErrorStream(true)
              .redirectOutput(report.toFile())
              .start();
      if (!tlc.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        tlc.destroyForcibly();
        throw new AssertionError("TLC takes too long: " + Files.readString(report));
      }
      return new Verdict(Files.readString(report));
    } catch (IOException e) {
      throw new IllegalStateException("Cannot run TLC", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** One worker and the quick compiler: such a check is over before more would pay. */
  private List<String> command(String module, String config) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseParallelGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx512m",
        "-Djava.io.tmpdir=" + scratch,
        "-cp",
        tools().toString(),
        TLC.class.getName(),
        "-workers",
        "1",
        "-metadir",
        scratch.resolve(config).toString(),
        "-config",
        config + ".cfg",
        module + ".tla");
  }

  private static Path tools() {
    try {
      return Path.of(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Cannot find the jar of TLC", e);
    }
  }
}

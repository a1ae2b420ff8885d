package dev.standpipe.bench.report;

import static dev.standpipe.bench.contest.Entrant.DBOS;
import static dev.standpipe.bench.contest.Entrant.DB_SCHEDULER;
import static dev.standpipe.bench.contest.Entrant.JOBRUNR;
import static dev.standpipe.bench.contest.Entrant.QUARTZ;
import static dev.standpipe.bench.contest.Entrant.RAW;
import static dev.standpipe.bench.contest.Entrant.STANDPIPE;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Something Standpipe is to reach.
 *
 * @param what it, for the reader
 * @param bound the least, or the most
 * @param atLeast whether the bound is the least
 * @param unit what follows the figures
 * @param measured the figure, if it was measured
 */
record Target(
    String what,
    double bound,
    boolean atLeast,
    String unit,
    Function<Report, OptionalDouble> measured) {
  private static final String RATIO = "×";

  static List<Target> all() {
    return List.of(
        least("`jobs` vs db-scheduler", 5, r -> r.ratio("jobs", STANDPIPE, "jobs", DB_SCHEDULER)),
        least("`jobs` vs JobRunr", 20, r -> r.ratio("jobs", STANDPIPE, "jobs", JOBRUNR)),
        least("`chain` vs DBOS", 25, r -> r.ratio("chain", STANDPIPE, "chain", DBOS)),
        least("`chain` vs raw", 0.6, r -> r.ratio("chain", STANDPIPE, "chain", RAW)),
        least("`diamond` vs raw", 0.6, r -> r.ratio("diamond", STANDPIPE, "diamond", RAW)),
        least("`fan` vs raw", 0.6, r -> r.ratio("fan", STANDPIPE, "fan", RAW)),
        new Target("`chain`", 60_000, true, " steps/s", figure("chain", "per_second")),
        new Target("`chain`", 0.02, false, " commits/step", figure("chain", "commits_per_step")),
        new Target("`chain`", 700, false, " B WAL/step", figure("chain", "wal_bytes_per_step")),
        new Target("`latency` p50", 3, false, " ms", figure("latency", "p50_ms")),
        new Target("`latency` p99", 12, false, " ms", figure("latency", "p99_ms")),
        new Target("`latency` p50, of the best peer's", 1, false, RATIO, ofTheBestPeer("p50_ms")),
        new Target("`latency` p99, of the best peer's", 1, false, RATIO, ofTheBestPeer("p99_ms")),
        least(
            "`backlog` 1M vs 10k",
            0.8,
            r -> r.ratio("backlog-1m", STANDPIPE, "backlog-10k", STANDPIPE)),
        least("`snapshot` vs none", 0.7, r -> r.ratio("snapshot", STANDPIPE, "chain", STANDPIPE)),
        least(
            "`pipelines` 50 served, one busy, vs 1",
            0.9,
            r -> r.ratio("pipelines-50", STANDPIPE, "pipelines-1", STANDPIPE)),
        least(
            "`pipelines` 500 served, one busy, vs 1",
            0.9,
            r -> r.ratio("pipelines-500", STANDPIPE, "pipelines-1", STANDPIPE)),
        new Target(
            "`recover` under a supervisor",
            1,
            false,
            " s",
            figure("recover-supervised", "seconds")),
        new Target(
            "`recover`, lease 15 s, plus one sweep",
            20,
            false,
            " s",
            figure("recover-default", "seconds")),
        new Target(
            "`recover`, lease 2 s, plus one sweep",
            3,
            false,
            " s",
            figure("recover-tuned", "seconds")),
        least("`graph10k` vs chain", 0.5, r -> r.ratio("graph10k", STANDPIPE, "chain", STANDPIPE)),
        least(
            "`expand100k` vs chain",
            0.5,
            r -> r.ratio("expand100k", STANDPIPE, "chain", STANDPIPE)),
        new Target("`idle`", 2, false, " statements/s", figure("idle-1", "statements_per_second")),
        new Target("`idle`", 10, false, " threads", figure("idle-1", "threads")),
        new Target("`idle`", 2, false, " connections", figure("idle-1", "connections")),
        new Target("`idle`, pickup p50", 15, false, " ms", figure("idle-1", "pickup_ms")),
        new Target(
            "`idle`, 4 processes together",
            4,
            false,
            " statements/s",
            figure("idle-4", "statements_per_second")),
        new Target("start in bulk", 50_000, true, " runs/s", figure("start-bulk", "per_second")),
        new Target("heap of 1M steps", 128, false, " MB", figure("heap", "peak_heap_mb")));
  }

  private static Target least(
      String what, double ratio, Function<Report, OptionalDouble> measured) {
    return new Target(what, ratio, true, RATIO, measured);
  }

  private static Function<Report, OptionalDouble> figure(String workload, String name) {
    return report -> report.figure(workload, STANDPIPE, name);
  }

  private static Function<Report, OptionalDouble> ofTheBestPeer(String name) {
    return report -> {
      OptionalDouble own = report.figure("latency", STANDPIPE, name);
      OptionalDouble best =
          Stream.of(DB_SCHEDULER, JOBRUNR, DBOS, QUARTZ)
              .map(peer -> report.figure("latency", peer, name))
              .flatMapToDouble(OptionalDouble::stream)
              .min();
      return own.isPresent() && best.isPresent()
          ? OptionalDouble.of(own.getAsDouble() / best.getAsDouble())
          : OptionalDouble.empty();
    };
  }

  boolean isMet(double value) {
    return atLeast ? value >= bound : value <= bound;
  }

  String boundText() {
    return (atLeast ? "≥ " : "≤ ") + text(bound);
  }

  String text(double value) {
    String number =
        value >= 100
            ? String.format(Locale.ROOT, "%,.0f", value)
            : String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.2f", value)
                .replaceFirst("\\.?0+$", "");
    return number + unit;
  }
}

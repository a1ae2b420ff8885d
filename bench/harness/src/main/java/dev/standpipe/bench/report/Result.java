package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Round;
import dev.standpipe.bench.contest.Workload;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a contender achieved at a workload: medians of its rounds; latencies are of all rounds
 * together. Immutable.
 *
 * @param figures by name, in the order in which to write them
 * @param cannot why there are none
 */
public record Result(Map<String, Double> figures, Optional<String> cannot) {
  private static final List<String> MEDIANS =
      List.of(
          "per_second",
          "slowest_10s_per_second",
          "seconds",
          "commits_per_step",
          "wal_bytes_per_step",
          "round_trips_per_step",
          "db_cpu_s_per_million",
          "jvm_cpu_s_per_million",
          "peak_heap_mb",
          "statements_per_second",
          "connections",
          "threads",
          "pickup_ms",
          "units");

  /** One without figures. */
  public static Result cannot(String reason) {
    return new Result(Map.of(), Optional.of(reason));
  }

  /** One of these rounds. */
  public static Result of(Workload workload, List<Round> rounds) {
    Map<String, Double> figures = new LinkedHashMap<>();
    if (workload.isLatency()) {
      addLatencies(figures, rounds);
    }
    for (String name : MEDIANS) {
      double[] all = values(rounds, name);
      double median = Statistics.median(all);
      boolean told = !(workload.isLatency() && name.equals("per_second"));
      if (told && !Double.isNaN(median)) {
        figures.put(name, median);
      }
    }
    double[] rates = values(rounds, workload.isLatency() ? "none" : "per_second");
    Arrays.stream(rates)
        .filter(rate -> !Double.isNaN(rate))
        .min()
        .ifPresent(least -> figures.put("per_second_min", least));
    Arrays.stream(rates)
        .filter(rate -> !Double.isNaN(rate))
        .max()
        .ifPresent(most -> figures.put("per_second_max", most));
    figures.put("repeats", (double) rounds.size());
    return new Result(figures, Optional.empty());
  }

  private static double[] values(List<Round> rounds, String name) {
    return rounds.stream()
        .mapToDouble(round -> round.figures().getOrDefault(name, Double.NaN))
        .toArray();
  }

  private static void addLatencies(Map<String, Double> figures, List<Round> rounds) {
    double[] all =
        rounds.stream()
            .flatMap(round -> round.latencies().stream())
            .mapToDouble(Long::doubleValue)
            .toArray();
    figures.put("p50_ms", Statistics.percentile(all, 0.5) / 1e3);
    figures.put("p99_ms", Statistics.percentile(all, 0.99) / 1e3);
    figures.put("p999_ms", Statistics.percentile(all, 0.999) / 1e3);
    figures.put("max_ms", Statistics.percentile(all, 1) / 1e3);
  }

  /** A figure, if there is one. */
  public OptionalDouble figure(String name) {
    Double value = figures.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The main figure in a few words. */
  public String inShort() {
    if (cannot.isPresent()) {
      return "cannot: " + cannot.get();
    }
    if (figures.containsKey("p50_ms")) {
      return String.format(
          Locale.ROOT,
          "p50 %.2f ms, p99 %.2f ms",
          figures.getOrDefault("p50_ms", Double.NaN),
          figures.getOrDefault("p99_ms", Double.NaN));
    }
    if (figures.containsKey("statements_per_second")) {
      return String.format(
          Locale.ROOT,
          "%.2f statements/s, picked up in %.2f ms",
          figures.getOrDefault("statements_per_second", Double.NaN),
          figures.getOrDefault("pickup_ms", Double.NaN));
    }
    return figures.containsKey("seconds")
        ? String.format(Locale.ROOT, "%.2f s", figures.get("seconds"))
        : String.format(Locale.ROOT, "%,.0f/s", figures.getOrDefault("per_second", Double.NaN));
  }
}

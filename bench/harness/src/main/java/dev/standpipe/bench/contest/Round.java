package dev.standpipe.bench.contest;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was measured in one round.
 *
 * @param figures by name; what could not be measured is missing
 * @param latencies in microseconds, if there are any
 */
public record Round(Map<String, Double> figures, List<Long> latencies) {
  /** Seconds that something took. */
  static Round ofSeconds(double seconds) {
    return new Round(Map.of("seconds", seconds), List.of());
  }

  /** A copy with one more figure, unless it is not a number. */
  Round with(String name, double value) {
    if (Double.isNaN(value)) {
      return this;
    }
    Map<String, Double> more = new TreeMap<>(figures);
    more.put(name, value);
    return new Round(more, latencies);
  }

  /** A figure; not a number if there is none. */
  public double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }
}

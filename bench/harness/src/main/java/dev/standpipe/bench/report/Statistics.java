package dev.standpipe.bench.report;

import java.util.Arrays;

/** Medians and percentiles. */
final class Statistics {
  private Statistics() {}

  /** The middle one, or the mean of the two in the middle. Not a number if there are none. */
  static double median(double... values) {
    double[] sorted =
        Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The smallest value that so many of all are not above: the nearest rank. Not a number if there
   * are none.
   *
   * @param values the values, in any order
   * @param share from 0 to 1
   */
  static double percentile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
  }
}

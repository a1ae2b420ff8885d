package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Round;
import dev.standpipe.bench.contest.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How the code at hand did beside an older commit of it. Both take turns, so each round of one has
 * a neighbour of the other: ratios are taken between neighbours, which a machine that slows down
 * for a minute slows down alike.
 *
 * @param what the workload, and the figure if it has several
 * @param ratio the median of the rounds' ratios; above 1 the code at hand is the faster one
 * @param least the lowest of them
 * @param most the highest of them
 */
public record Comparison(String what, double ratio, double least, double most) {
  /** A change that costs more than this says why. */
  public static final double BOUND = 0.97;

  /** Compares the rounds of one workload, as many as both have. */
  static List<Comparison> of(Workload workload, List<Round> now, List<Round> before) {
    List<Comparison> all = new ArrayList<>();
    if (workload.isLatency()) {
      all.add(of(workload.name() + " p50", now, before, round -> 1 / percentile(round, 0.5)));
      all.add(of(workload.name() + " p99", now, before, round -> 1 / percentile(round, 0.99)));
    } else if (workload.isRecovery()) {
      all.add(of(workload.name(), now, before, round -> 1 / round.figure("seconds")));
    } else {
      all.add(of(workload.name(), now, before, round -> round.figure("per_second")));
    }
    return all;
  }

  private static Comparison of(
      String what, List<Round> now, List<Round> before, ToDoubleFunction<Round> speed) {
    int rounds = Math.min(now.size(), before.size());
    double[] ratios = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      ratios[i] = speed.applyAsDouble(now.get(i)) / speed.applyAsDouble(before.get(i));
    }
    return new Comparison(
        what,
        Statistics.median(ratios),
        Statistics.percentile(ratios, 0),
        Statistics.percentile(ratios, 1));
  }

  private static double percentile(Round round, double share) {
    double[] latencies = round.latencies().stream().mapToDouble(Long::doubleValue).toArray();
    return Statistics.percentile(latencies, share);
  }

  /** Whether the code at hand is not slower by more than a change may cost unsaid. */
  public boolean isKept() {
    return ratio >= BOUND;
  }
}

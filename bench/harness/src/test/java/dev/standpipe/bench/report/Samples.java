package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Entrant;
import dev.standpipe.bench.contest.Plan;
import dev.standpipe.bench.contest.Round;
import dev.standpipe.bench.contest.Workload;
import java.util.List;
import java.util.Map;

/** A small report to write. */
final class Samples {
  private Samples() {}

  static Workload workload(String name) {
    return Plan.full().stream().filter(w -> w.name().equals(name)).findFirst().orElseThrow();
  }

  static Round round(double perSecond) {
    return new Round(
        Map.of("per_second", perSecond, "commits_per_step", 0.01, "units", 100.0), List.of());
  }

  static Report report() {
    Report report = new Report(new Machine(Map.of("cpu", "a <fast> one")));
    report.introduce(Entrant.STANDPIPE, "{\"version\":\"1\",\"configuration\":\"as it comes\"}");
    Workload chain = workload("chain");
    report.add(
        chain,
        Entrant.STANDPIPE,
        Result.of(chain, List.of(round(60_000), round(70_000), round(80_000))));
    report.add(chain, Entrant.RAW, Result.of(chain, List.of(round(100_000))));
    report.add(chain, Entrant.QUARTZ, Result.cannot("no reason at all"));
    Workload latency = workload("latency");
    report.add(
        latency,
        Entrant.STANDPIPE,
        Result.of(
            latency,
            List.of(new Round(Map.of("per_second", 1.0), List.of(1_000L, 2_000L, 9_000L)))));
    report.add(
        latency,
        Entrant.DBOS,
        Result.of(latency, List.of(new Round(Map.of(), List.of(4_000L, 4_000L, 6_000L)))));
    Workload supervised = workload("recover-supervised");
    report.add(
        supervised,
        Entrant.STANDPIPE,
        Result.of(supervised, List.of(new Round(Map.of("seconds", 0.25), List.of()))));
    return report;
  }
}

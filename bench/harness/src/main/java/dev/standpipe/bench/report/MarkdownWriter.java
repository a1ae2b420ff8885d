package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Entrant;
import dev.standpipe.bench.contest.Workload;
import dev.standpipe.bench.contest.Workload.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Writes a report for people. */
public final class MarkdownWriter {
  private static final String NONE = "–";

  private final Report report;
  private final StringBuilder text = new StringBuilder();

  private MarkdownWriter(Report report) {
    this.report = report;
  }

  /** Writes it. */
  public static String write(Report report) {
    return new MarkdownWriter(report).write();
  }

  private String write() {
    line("# Benchmark results");
    line("");
    line(
        "Made by `./standpipe bench`; run it to get your own. Every contender ran in a JVM of its");
    line("own on the same PostgreSQL and the same machine, in a fresh database for every round,");
    line("taking turns. Figures are medians of the rounds, latencies of all rounds together.");
    line("");
    writeTargets();
    writeComparisons();
    report.workloads().values().forEach(this::writeWorkload);
    writeContenders();
    writeMachine();
    return text.toString();
  }

  private void writeTargets() {
    List<String[]> rows = new ArrayList<>();
    for (Target target : Target.all()) {
      OptionalDouble value = target.measured().apply(report);
      if (value.isPresent()) {
        double figure = value.getAsDouble();
        rows.add(
            new String[] {
              target.what(),
              target.boundText(),
              target.text(figure),
              target.isMet(figure) ? "yes" : "**no**"
            });
      }
    }
    if (!rows.isEmpty()) {
      line("## What Standpipe is to reach");
      line("");
      table(new String[] {"", "target", "here", "met"}, rows);
    }
  }

  private void writeComparisons() {
    if (report.comparisons().isEmpty()) {
      return;
    }
    line("## Beside the commit before");
    line("");
    line("Above 1 is faster. A change that costs more than 3 % says why.");
    line("");
    List<String[]> rows = new ArrayList<>();
    for (Comparison comparison : report.comparisons()) {
      rows.add(
          new String[] {
            "`" + comparison.what() + "`",
            decimal(comparison.ratio()),
            decimal(comparison.least()) + "–" + decimal(comparison.most()),
            comparison.isKept() ? "yes" : "**no**"
          });
    }
    table(new String[] {"", "of before", "least–most", "≥ 0.97"}, rows);
  }

  private static String decimal(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  private void writeWorkload(Workload workload) {
    line("## `" + workload.name() + "`: " + workload.title());
    line("");
    Map<Entrant, Result> results = report.results(workload.name());
    List<String[]> rows = new ArrayList<>();
    results.forEach(
        (entrant, result) -> {
          if (result.cannot().isEmpty()) {
            rows.add(row(workload, entrant, result));
          }
        });
    table(head(workload), rows);
    results.forEach(
        (entrant, result) ->
            result
                .cannot()
                .ifPresent(reason -> line("- " + entrant.title() + ": cannot, " + reason)));
    if (results.values().stream().anyMatch(result -> result.cannot().isPresent())) {
      line("");
    }
  }

  private static String[] head(Workload workload) {
    if (workload.isLatency()) {
      return new String[] {
        "", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "calls a round", "heap MB"
      };
    }
    if (workload.isRecovery()) {
      return new String[] {"", "seconds", "rounds"};
    }
    if (workload.isIdle()) {
      return new String[] {
        "", "statements/s of all", "connections each", "threads each", "pickup p50 ms"
      };
    }
    String unit = workload.unit() == Unit.STEPS ? "step" : "run";
    return new String[] {
      "",
      unit + "s/s",
      "least–most",
      "Standpipe is",
      "of raw",
      "commits/" + unit,
      "WAL B/" + unit,
      "statements/" + unit,
      "db CPU s/M",
      "JVM CPU s/M",
      "heap MB",
      unit + "s"
    };
  }

  private String[] row(Workload workload, Entrant entrant, Result result) {
    if (workload.isLatency()) {
      return new String[] {
        entrant.title(),
        number(result, "p50_ms"),
        number(result, "p99_ms"),
        number(result, "p999_ms"),
        number(result, "max_ms"),
        number(result, "units"),
        number(result, "peak_heap_mb")
      };
    }
    if (workload.isRecovery()) {
      return new String[] {entrant.title(), number(result, "seconds"), number(result, "repeats")};
    }
    if (workload.isIdle()) {
      return new String[] {
        entrant.title(),
        number(result, "statements_per_second"),
        number(result, "connections"),
        number(result, "threads"),
        number(result, "pickup_ms")
      };
    }
    String name = workload.name();
    return new String[] {
      entrant.title(),
      number(result, "per_second"),
      number(result, "per_second_min") + "–" + number(result, "per_second_max"),
      entrant == Entrant.STANDPIPE
          ? NONE
          : ratio(report.ratio(name, Entrant.STANDPIPE, name, entrant)),
      entrant == Entrant.RAW ? NONE : ratio(report.ratio(name, entrant, name, Entrant.RAW)),
      number(result, "commits_per_step"),
      number(result, "wal_bytes_per_step"),
      number(result, "round_trips_per_step"),
      number(result, "db_cpu_s_per_million"),
      number(result, "jvm_cpu_s_per_million"),
      number(result, "peak_heap_mb"),
      number(result, "units")
    };
  }

  private void writeContenders() {
    line("## Contenders");
    line("");
    report
        .introductions()
        .forEach(
            (entrant, introduction) ->
                line(
                    "- **"
                        + entrant.title()
                        + "** "
                        + introduction.version()
                        + ". "
                        + introduction.configuration()));
    line("");
    line("Statements are those the server executed, `BEGIN` and `COMMIT` among them: round trips,");
    line("but for what a driver sends in one go.");
    line("");
  }

  private void writeMachine() {
    line("## Machine");
    line("");
    List<String[]> rows = new ArrayList<>();
    report.machine().facts().forEach((name, value) -> rows.add(new String[] {name, value}));
    table(new String[] {"", ""}, rows);
  }

  private static String ratio(OptionalDouble ratio) {
    if (ratio.isEmpty()) {
      return NONE;
    }
    double times = ratio.getAsDouble();
    String format = times >= 10 ? "%.0f×" : times >= 0.1 ? "%.2f×" : "%.4f×";
    return String.format(Locale.ROOT, format, times);
  }

  private static String number(Result result, String name) {
    OptionalDouble figure = result.figure(name);
    if (figure.isEmpty() || Double.isNaN(figure.getAsDouble())) {
      return NONE;
    }
    double value = figure.getAsDouble();
    if (value >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value < 1 ? "%.4f" : "%.2f", value);
  }

  private void table(String[] head, List<String[]> rows) {
    line("| " + String.join(" | ", head) + " |");
    line("|" + "---|".repeat(head.length));
    rows.forEach(row -> line("| " + String.join(" | ", row) + " |"));
    line("");
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}

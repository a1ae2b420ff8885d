package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Entrant;
import dev.standpipe.bench.contest.Workload.Unit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Draws the main rates of a report as bars, readable on light and on dark pages. */
public final class SvgWriter {
  private static final List<String> WORKLOADS = List.of("jobs", "chain", "diamond", "fan");
  private static final int WIDTH = 760;
  private static final int LEFT = 130;
  private static final int RIGHT = 150;
  private static final int BAR = 16;
  private static final int GAP = 6;
  private static final int TITLE = 34;
  private static final String STYLE =
      """
      text { font: 13px system-ui, sans-serif; fill: #24292f; }
      .title { font-weight: 600; }
      .value { font-variant-numeric: tabular-nums; }
      .standpipe { fill: #0969da; }
      .raw { fill: #8c959f; }
      .peer { fill: #d4a72c; }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .standpipe { fill: #58a6ff; }
        .raw { fill: #6e7681; }
        .peer { fill: #bb8009; }
      }
      """;

  private final Report report;
  private final StringBuilder body = new StringBuilder();
  private int y;

  private SvgWriter(Report report) {
    this.report = report;
  }

  /** Draws it. */
  public static String write(Report report) {
    return new SvgWriter(report).write();
  }

  private String write() {
    WORKLOADS.stream().filter(report.workloads()::containsKey).forEach(this::group);
    int height = y + GAP;
    return String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " role=\"img\" aria-label=\"Benchmark: rates of Standpipe and its peers\">%n"
            + "<style>%n%s</style>%n%s</svg>%n",
        WIDTH,
        height,
        WIDTH,
        height,
        STYLE,
        body);
  }

  private void group(String workload) {
    Map<Entrant, OptionalDouble> rates =
        report.results(workload).entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    entry -> entry.getValue().figure("per_second"),
                    (a, b) -> a,
                    java.util.TreeMap::new));
    double most = rates.values().stream().mapToDouble(rate -> rate.orElse(0)).max().orElse(1);
    var what = report.workloads().get(workload);
    if (what == null) {
      return;
    }
    String unit = what.unit() == Unit.STEPS ? "steps" : "runs";
    text(0, y + TITLE - 12, "title", workload + ": " + what.title() + " (" + unit + " a second)");
    y += TITLE;
    rates.forEach((entrant, rate) -> bar(entrant, rate, most));
  }

  private void bar(Entrant entrant, OptionalDouble rate, double most) {
    text(0, y + BAR - 3, "name", entrant.title());
    double length = rate.orElse(0) / most * (WIDTH - LEFT - RIGHT);
    if (rate.isPresent()) {
      body.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
              color(entrant),
              LEFT,
              y,
              Math.max(1, length),
              BAR));
    }
    String value =
        rate.isPresent() ? String.format(Locale.ROOT, "%,.0f", rate.getAsDouble()) : "cannot";
    text(LEFT + (int) length + 8, y + BAR - 3, "value", value);
    y += BAR + GAP;
  }

  private static String color(Entrant entrant) {
    return switch (entrant) {
      case STANDPIPE, BEFORE -> "standpipe";
      case RAW -> "raw";
      case DB_SCHEDULER, JOBRUNR, DBOS, QUARTZ -> "peer";
    };
  }

  private void text(int x, int baseline, String style, String content) {
    String escaped = content.replace("&", "&amp;").replace("<", "&lt;");
    body.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n",
            style,
            x,
            baseline,
            escaped));
  }
}

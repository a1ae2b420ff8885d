package dev.standpipe.cli.runs;

import dev.standpipe.RunStatus;
import dev.standpipe.cli.CommandFailure;
import dev.standpipe.operate.RunFilter;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which runs are meant. */
final class FilterOptions {
  @Option(names = "--pipeline", paramLabel = "NAME", description = "Of this pipeline.")
  private Optional<String> pipeline = Optional.empty();

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      split = ",",
      description = "Being this; several with commas: ${COMPLETION-CANDIDATES}.")
  private List<RunStatus> statuses = new ArrayList<>();

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "With this label; may be given several times.")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Started then or later: 2026-01-31, or 2026-01-31T12:00:00Z.")
  private Optional<String> since = Optional.empty();

  @Option(names = "--until", paramLabel = "TIME", description = "Started before.")
  private Optional<String> until = Optional.empty();

  @Option(names = "--all", description = "Every run, if no filter is given.")
  private boolean all;

  RunFilter filter() {
    RunFilter filter =
        (all ? RunFilter.every() : RunFilter.where()).status(statuses.toArray(RunStatus[]::new));
    if (pipeline.isPresent()) {
      filter = filter.pipeline(pipeline.get());
    }
    for (Map.Entry<String, String> label : labels.entrySet()) {
      filter = filter.label(label.getKey(), label.getValue());
    }
    if (since.isPresent()) {
      filter = filter.since(time("--since", since.get()));
    }
    if (until.isPresent()) {
      filter = filter.until(time("--until", until.get()));
    }
    return filter;
  }

  private static Instant time(String option, String text) {
    try {
      return text.contains("T")
          ? Instant.parse(text)
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
      throw new CommandFailure(
          CommandFailure.USAGE,
          option + " is not a time: \"" + text + "\"; write 2026-01-31 or 2026-01-31T12:00:00Z.",
          e);
    }
  }
}

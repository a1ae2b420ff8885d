package dev.standpipe.internal.engine.client;

import dev.standpipe.error.StandpipeException;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.port.RunQueries;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Says in a few sentences where a run is, and why it is not further. */
final class RunProgress {
  private static final int MOST_STEPS = 3;
  private static final int LONGEST_ERROR = 200;

  private RunProgress() {}

  static String of(RunQueries runs, UUID id) {
    try {
      Optional<RunInfo> run = runs.find(id);
      return run.isEmpty()
          ? "There is no such run: it was never committed, or is pruned."
          : of(run.get(), runs.pending(id, MOST_STEPS + 1));
    } catch (StandpipeException e) { // the caller is told of the time-out, and of this besides
      return "Where it is cannot be asked: " + e.getMessage();
    }
  }

  private static String of(RunInfo run, List<PendingStep> steps) {
    StringBuilder text = new StringBuilder();
    text.append("It is ").append(word(run.status()));
    text.append(", of pipeline \"").append(run.pipeline()).append("\".");
    if (!run.links().upstreams().isEmpty() && steps.isEmpty()) {
      text.append(" It waits for the runs ").append(run.links().upstreams()).append('.');
    }
    steps.stream().limit(MOST_STEPS).forEach(step -> text.append(' ').append(of(step)));
    if (steps.size() > MOST_STEPS) {
      text.append(" More of its steps wait.");
    }
    if (steps.stream().anyMatch(step -> !step.served())) {
      text.append(
          " No live process serves this definition of the pipeline: start one that does, with serve(…).");
    }
    return text.toString();
  }

  private static String of(PendingStep step) {
    String name = step.index() == 0 ? step.node() : step.node() + "/" + step.index();
    return "Step \"%s\" %s%s.".formatted(name, state(step), lastError(step));
  }

  private static String state(PendingStep step) {
    return switch (step.state()) {
      case READY -> "is ready, and no process has taken it";
      case LEASED ->
          "is run by " + step.holder().map(name -> "\"" + name + "\"").orElse("a process");
      case PAUSED -> "is paused: resume the run";
      case SCHEDULED ->
          step.calls()
              .map(run -> "waits for run " + run + ", which it has called")
              .orElseGet(() -> "is due " + time(step) + ", attempt " + step.attempt());
      case WAITING ->
          step.calls()
              .map(run -> "waits for run " + run + ", which it has called")
              .orElseGet(() -> "waits for a signal" + expiry(step));
      case SUCCEEDED, FAILED, SKIPPED, UPSTREAM_FAILED, QUARANTINED -> "is " + word(step.state());
    };
  }

  private static String expiry(PendingStep step) {
    return step.dueIn().isPresent() ? ", which expires " + time(step) : "";
  }

  private static String time(PendingStep step) {
    Duration left = step.dueIn().orElse(Duration.ZERO);
    return left.isNegative() || left.isZero() ? "now" : "in " + seconds(left) + " s";
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1000.0);
  }

  private static String lastError(PendingStep step) {
    return step.lastError().map(error -> ", after " + shortened(error)).orElse("");
  }

  private static String shortened(StepError error) {
    String text = error.type() + ": " + error.message().lines().findFirst().orElse("");
    return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR) + "…";
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}

package dev.standpipe.cli.run;

import dev.standpipe.AttemptInfo;
import dev.standpipe.AttemptOutcome;
import dev.standpipe.Run;
import dev.standpipe.RunInfo;
import dev.standpipe.RunLinks;
import dev.standpipe.StepInfo;
import dev.standpipe.StepState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** A run, in words or as JSON. */
final class Report {
  private Report() {}

  static List<String> lines(Run<?> run) {
    List<String> lines = new ArrayList<>();
    about(run.info())
        .forEach((name, value) -> lines.add("%-12s %s".formatted(name.replace('_', ' '), value)));
    for (StepInfo step : run.steps()) {
      lines.add(
          isTakenOver(step)
              ? "%-12s %s/%d  %s in the original"
                  .formatted("step", step.node(), step.index(), word(step.state()))
              : "%-12s %s/%d  %s, attempt %d, %d crashes"
                  .formatted(
                      "step",
                      step.node(),
                      step.index(),
                      word(step.state()),
                      step.attempt(),
                      step.crashes()));
    }
    for (AttemptInfo attempt : failures(run)) {
      lines.add(
          "%-12s %s/%d  attempt %d %s at %s%s"
              .formatted(
                  "try",
                  attempt.node(),
                  attempt.index(),
                  attempt.attempt(),
                  word(attempt.outcome()),
                  attempt.finishedAt(),
                  error(attempt)));
    }
    return lines;
  }

  static String json(Run<?> run) {
    Map<String, Object> map = about(run.info());
    map.put("steps", run.steps().stream().map(Report::step).toList());
    map.put("failed_tries", failures(run).stream().map(Report::attempt).toList());
    return JsonMapper.shared().writeValueAsString(map);
  }

  /** What is known of the run itself, in the order of reading. */
  private static Map<String, Object> about(RunInfo run) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("run", run.id().toString());
    map.put("pipeline", run.pipeline());
    map.put("status", word(run.status()));
    run.haltReason().ifPresent(reason -> map.put("halt_reason", word(reason)));
    run.haltNode().ifPresent(node -> map.put("halt_node", node));
    run.cancellation()
        .ifPresent(
            cancellation -> {
              map.put("canceled_by", cancellation.by());
              map.put("reason", cancellation.reason());
            });
    run.key().ifPresent(key -> map.put("key", key));
    map.put("priority", run.priority());
    map.put("labels", run.labels());
    run.rerunOf().ifPresent(original -> map.put("rerun_of", original.toString()));
    map.put("reruns", run.reruns().stream().map(UUID::toString).toList());
    links(run.links(), map);
    map.put("created_at", run.createdAt().toString());
    run.finishedAt().ifPresent(at -> map.put("finished_at", at.toString()));
    return map;
  }

  /** How it hangs together with other runs, as far as it does. */
  private static void links(RunLinks links, Map<String, Object> map) {
    links.sequelOf().ifPresent(one -> map.put(one.sequel().word() + "_of", one.run().toString()));
    links
        .forkOf()
        .ifPresent(
            fork -> {
              map.put("fork_of", fork.original().toString());
              map.put("forked_at", fork.node());
            });
    if (!links.forks().isEmpty()) {
      map.put("forks", links.forks().stream().map(UUID::toString).toList());
    }
    links.calledBy().ifPresent(step -> map.put("called_by", step.toString()));
    if (!links.calls().isEmpty()) {
      map.put("calls", links.calls().stream().map(UUID::toString).toList());
    }
    if (!links.upstreams().isEmpty()) {
      map.put("upstreams", links.upstreams().stream().map(UUID::toString).toList());
    }
    if (!links.downstreams().isEmpty()) {
      map.put("downstreams", links.downstreams().stream().map(UUID::toString).toList());
    }
    if (!links.sequels().isEmpty()) {
      map.put(
          "sequels",
          links.sequels().stream().map(one -> one.sequel().word() + " " + one.run()).toList());
    }
  }

  /** By a fork, from its original. */
  private static boolean isTakenOver(StepInfo step) {
    return step.attempt() == 0 && step.state() == StepState.SUCCEEDED;
  }

  private static List<AttemptInfo> failures(Run<?> run) {
    return run.attempts().stream()
        .filter(attempt -> attempt.outcome() != AttemptOutcome.SUCCEEDED)
        .toList();
  }

  private static Map<String, Object> step(StepInfo step) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("node", step.node());
    map.put("index", step.index());
    map.put("state", word(step.state()));
    map.put("attempt", step.attempt());
    map.put("crashes", step.crashes());
    map.put("token", step.token());
    return map;
  }

  private static Map<String, Object> attempt(AttemptInfo attempt) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("node", attempt.node());
    map.put("index", attempt.index());
    map.put("attempt", attempt.attempt());
    map.put("outcome", word(attempt.outcome()));
    map.put("token", attempt.token());
    map.put("finished_at", attempt.finishedAt().toString());
    attempt.error().ifPresent(error -> map.put("error", error.type() + ": " + error.message()));
    return map;
  }

  /** An error may have several lines; a list of tries has one for each. */
  private static String error(AttemptInfo attempt) {
    return attempt
        .error()
        .map(error -> ": " + error.type() + ": " + error.message().lines().findFirst().orElse(""))
        .orElse("");
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

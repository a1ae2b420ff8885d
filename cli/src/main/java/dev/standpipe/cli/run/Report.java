package dev.standpipe.cli.run;

import dev.standpipe.Run;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.RunLinks;
import dev.standpipe.info.StepError;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepProgress;
import dev.standpipe.info.StepState;
import dev.standpipe.info.SubStepInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** A run, in words or as JSON. */
final class Report {
  private Report() {}

  /** How much of a value, and of a stack trace, a person gets to see. */
  private static final int LONGEST_VALUE = 120;

  private static final int SHOWN_VALUES = 100;
  private static final int SHOWN_SUB_STEPS = 20;
  private static final int SHOWN_FRAMES = 3;

  static List<String> lines(Run<?> run, boolean traces) {
    List<String> lines = new ArrayList<>();
    about(run.info())
        .forEach((name, value) -> lines.add("%-12s %s".formatted(name.replace('_', ' '), value)));
    value(run, GraphNode.INPUT_KEY, 0).ifPresent(value -> lines.add(line("input", value)));
    List<StepInfo> steps = run.steps();
    for (StepInfo step : steps) {
      lines.add(
          isTakenOver(step)
              ? "%-12s %s/%d  %s in the original"
                  .formatted("step", step.node(), step.index(), word(step.state()))
              : "%-12s %s/%d  %s%s, attempt %d, %d crashes"
                  .formatted(
                      "step",
                      step.node(),
                      step.index(),
                      word(step.state()),
                      step.turn() == 1 ? "" : ", turn " + step.turn(),
                      step.attempt(),
                      step.crashes()));
      step.progress().ifPresent(progress -> lines.add(line("  progress", progress(progress))));
      if (step.subSteps() > 0) {
        lines.addAll(subSteps(run, step));
      }
      if (step.turn() > 1 && steps.size() <= SHOWN_VALUES) {
        lines.addAll(turns(run, step));
      }
      if (step.state() == StepState.SUCCEEDED && steps.size() <= SHOWN_VALUES) {
        value(run, step.node(), step.index()).ifPresent(value -> lines.add(line("  value", value)));
      }
    }
    run.pending().forEach(step -> lines.add(line("waits", waits(step))));
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
      attempt.error().ifPresent(error -> lines.addAll(trace(error, traces)));
    }
    return lines;
  }

  /** The first of them by name, and how many more there are. */
  private static List<String> subSteps(Run<?> run, StepInfo step) {
    List<SubStepInfo> all = run.subSteps(step.node(), step.index());
    List<String> lines = new ArrayList<>();
    all.stream()
        .limit(SHOWN_SUB_STEPS)
        .forEach(
            call ->
                lines.add(line("  sub-step", call.key() + "  committed at " + call.writtenAt())));
    if (all.size() > SHOWN_SUB_STEPS) {
      lines.add(line("  sub-step", "and " + (all.size() - SHOWN_SUB_STEPS) + " more"));
    }
    return lines;
  }

  private static String progress(StepProgress progress) {
    String note = progress.note().isEmpty() ? "" : ", " + progress.note();
    return "%d of %d%s, at %s"
        .formatted(progress.done(), progress.total(), note, progress.lastProgressAt());
  }

  /** The last turns of a loop, with what each has handed on. */
  private static List<String> turns(Run<?> run, StepInfo step) {
    try {
      return run.turns(step.node(), step.index(), Object.class).stream()
          .map(
              turn ->
                  line(
                      "  turn",
                      "%d at %s: %s"
                          .formatted(turn.turn(), turn.finishedAt(), shown(turn.state()))))
          .toList();
    } catch (InvalidValueException e) {
      return List.of(line("  turns", "(not JSON)"));
    }
  }

  private static String shown(Object value) {
    String json = JsonMapper.shared().writeValueAsString(value);
    return json.length() <= LONGEST_VALUE ? json : json.substring(0, LONGEST_VALUE) + "…";
  }

  private static String line(String name, String text) {
    return "%-12s %s".formatted(name, text);
  }

  /** The stored value as JSON; one that only its own code can read is left out. */
  private static Optional<String> value(Run<?> run, String node, int index) {
    try {
      return run.value(node, index, Object.class).map(Report::shown);
    } catch (InvalidValueException e) {
      return Optional.of("(not JSON)");
    }
  }

  /** What a step that has no outcome waits for. */
  private static String waits(PendingStep step) {
    String name = step.node() + "/" + step.index() + "  ";
    String due = step.dueIn().map(left -> ", due in " + left.toSeconds() + " s").orElse("");
    String what =
        step.calls()
            .map(called -> "for run " + called + ", which it has called")
            .orElseGet(
                () ->
                    switch (step.state()) {
                      case READY -> "for a process to take it";
                      case LEASED -> "run by " + step.holder().orElse("a process that is gone");
                      case PAUSED -> "to be resumed";
                      case SCHEDULED -> "for its time";
                      case WAITING -> "for a signal: standpipe run signal RUN " + step.node();
                      case SUCCEEDED, FAILED, SKIPPED, UPSTREAM_FAILED, QUARANTINED ->
                          word(step.state());
                    });
    return name + what + due + (step.served() ? "" : "; no live process serves it");
  }

  /** The causes, each with where it came from. */
  private static List<String> trace(StepError error, boolean whole) {
    List<String> lines = new ArrayList<>();
    int frames = 0;
    for (String line : error.trace().lines().skip(1).toList()) {
      boolean frame = line.strip().startsWith("at ");
      frames = frame ? frames + 1 : 0;
      if (whole || !frame || frames <= SHOWN_FRAMES) {
        lines.add(line("", "  " + line.strip()));
      }
    }
    return lines;
  }

  static String json(Run<?> run) {
    Map<String, Object> map = about(run.info());
    map.put("steps", run.steps().stream().map(Report::step).toList());
    map.put("waits", run.pending().stream().map(Report::waitsAsMap).toList());
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
    links
        .endCallbackOf()
        .ifPresent(one -> map.put(one.endCallback().word() + "_of", one.run().toString()));
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
    if (!links.endCallbacks().isEmpty()) {
      map.put(
          "endCallbacks",
          links.endCallbacks().stream()
              .map(one -> one.endCallback().word() + " " + one.run())
              .toList());
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
    map.put("turn", step.turn());
    if (step.subSteps() > 0) {
      map.put("sub_steps", step.subSteps());
    }
    step.progress().ifPresent(progress -> map.put("progress", progressAsMap(progress)));
    return map;
  }

  private static Map<String, Object> progressAsMap(StepProgress progress) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("done", progress.done());
    map.put("total", progress.total());
    map.put("note", progress.note());
    map.put("last_progress_at", progress.lastProgressAt().toString());
    return map;
  }

  private static Map<String, Object> waitsAsMap(PendingStep step) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("node", step.node());
    map.put("index", step.index());
    map.put("state", word(step.state()));
    step.dueIn().ifPresent(left -> map.put("due_in_ms", left.toMillis()));
    step.holder().ifPresent(name -> map.put("held_by", name));
    step.calls().ifPresent(called -> map.put("calls", called.toString()));
    map.put("served", step.served());
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
    attempt
        .error()
        .ifPresent(
            error -> {
              map.put("error", error.type() + ": " + error.message());
              map.put("trace", error.trace());
            });
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

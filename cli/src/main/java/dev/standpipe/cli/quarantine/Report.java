package dev.standpipe.cli.quarantine;

import dev.standpipe.info.StepId;
import dev.standpipe.operate.QuarantinedStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** Steps in quarantine, in words or as JSON. */
final class Report {
  private Report() {}

  /** A line for each, or a line that says there is none. */
  static List<String> lines(List<QuarantinedStep> steps) {
    if (steps.isEmpty()) {
      return List.of("No step is in quarantine.");
    }
    return steps.stream()
        .map(
            step ->
                "%s  %s  %d crashes, since %s"
                    .formatted(step.step(), step.pipeline(), step.crashes(), step.quarantinedAt()))
        .toList();
  }

  /** All there is to know about one. */
  static List<String> details(QuarantinedStep step) {
    return List.of(
        "step         " + step.step(),
        "pipeline     " + step.pipeline(),
        "crashes      " + step.crashes(),
        "attempt      " + step.attempt(),
        "quarantined  " + step.quarantinedAt(),
        "processes    "
            + String.join(", ", step.processes().stream().map(UUID::toString).toList()));
  }

  static String json(List<QuarantinedStep> steps) {
    return JsonMapper.shared().writeValueAsString(steps.stream().map(Report::map).toList());
  }

  static String json(QuarantinedStep step) {
    return JsonMapper.shared().writeValueAsString(map(step));
  }

  /** What was done to a step. */
  static String json(StepId step, String done) {
    Map<String, Object> map = map(step);
    map.put("done", done);
    return JsonMapper.shared().writeValueAsString(map);
  }

  private static Map<String, Object> map(QuarantinedStep step) {
    Map<String, Object> map = map(step.step());
    map.put("pipeline", step.pipeline());
    map.put("crashes", step.crashes());
    map.put("attempt", step.attempt());
    map.put("token", step.token());
    map.put("processes", step.processes().stream().map(UUID::toString).toList());
    map.put("quarantined_at", step.quarantinedAt().toString());
    return map;
  }

  private static Map<String, Object> map(StepId step) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("step", step.toString());
    map.put("run", step.run().toString());
    map.put("node", step.node());
    map.put("index", step.index());
    return map;
  }
}

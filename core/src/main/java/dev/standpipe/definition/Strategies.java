package dev.standpipe.definition;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What failures mean in a pipeline.
 *
 * @param pipeline for every step that says nothing else
 * @param steps for single steps, by key; those that say the same as the pipeline are left out
 */
public record Strategies(Strategy pipeline, Map<String, Strategy> steps) {
  /** Every failure halts. */
  public static final Strategies HALTING = new Strategies(Strategy.HALT, Map.of());

  /** Copies the map, and sorts it. */
  public Strategies {
    Map<String, Strategy> others = new TreeMap<>(steps);
    others.values().removeIf(pipeline::equals);
    steps = Collections.unmodifiableMap(others);
  }

  /** What the failure of a step means. */
  public Strategy of(String key) {
    return steps.getOrDefault(key, pipeline);
  }

  /** Whether a run may go on after a step of it has failed. */
  public boolean isLenient() {
    return pipeline != Strategy.HALT || steps.containsValue(Strategy.IGNORE);
  }
}

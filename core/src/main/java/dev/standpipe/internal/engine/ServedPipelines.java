package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.StepDefinition;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.Processes.Serving;
import dev.standpipe.internal.port.Processes.StepLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The pipelines a process serves, by lane. Thread-safe. */
public final class ServedPipelines {
  private volatile Map<Integer, Pipeline<?, ?>> byLane;
  private volatile List<Integer> lanes;

  ServedPipelines(Map<Integer, Pipeline<?, ?>> byLane) {
    this.byLane = Map.copyOf(byLane);
    this.lanes = sorted(byLane);
  }

  /**
   * Registers again those definitions that are not in the database any more, as after a failover
   * that lost them: each is served in the lane it has then.
   */
  void restore(Definitions definitions) {
    Map<Integer, Pipeline<?, ?>> now = new HashMap<>();
    byLane.forEach(
        (lane, pipeline) -> now.put(definitions.restore(lane, pipeline.graph()), pipeline));
    byLane = Map.copyOf(now);
    lanes = sorted(now);
  }

  private static List<Integer> sorted(Map<Integer, Pipeline<?, ?>> byLane) {
    return byLane.keySet().stream().sorted().toList();
  }

  /** The lanes, sorted. */
  public List<Integer> lanes() {
    return lanes;
  }

  /** What the database is told about it. */
  Serving serving(int crashLimit) {
    List<StepLimit> limits = new ArrayList<>();
    byLane.forEach(
        (lane, pipeline) ->
            pipeline
                .graph()
                .nodes()
                .forEach(
                    node ->
                        pipeline
                            .step(node.key())
                            .map(StepDefinition::crashLimit)
                            .orElse(OptionalInt.empty())
                            .ifPresent(most -> limits.add(new StepLimit(lane, node.key(), most)))));
    return new Serving(lanes, crashLimit, limits);
  }

  @Nullable Pipeline<?, ?> find(int lane) {
    return byLane.get(lane);
  }

  public Pipeline<?, ?> pipeline(int lane) {
    Pipeline<?, ?> pipeline = byLane.get(lane);
    if (pipeline == null) {
      throw new IllegalArgumentException("Lane " + lane + " is not served here");
    }
    return pipeline;
  }
}

package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.StepDefinition;
import dev.standpipe.spi.Processes.Serving;
import dev.standpipe.spi.Processes.StepLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The pipelines a process serves, by lane. Immutable. */
final class Catalogue {
  private final Map<Integer, Pipeline<?, ?>> byLane;

  Catalogue(Map<Integer, Pipeline<?, ?>> byLane) {
    this.byLane = Map.copyOf(byLane);
  }

  List<Integer> lanes() {
    return byLane.keySet().stream().sorted().toList();
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
    return new Serving(lanes(), crashLimit, limits);
  }

  @Nullable Pipeline<?, ?> find(int lane) {
    return byLane.get(lane);
  }

  Pipeline<?, ?> pipeline(int lane) {
    Pipeline<?, ?> pipeline = byLane.get(lane);
    if (pipeline == null) {
      throw new IllegalArgumentException("Lane " + lane + " is not served here");
    }
    return pipeline;
  }
}

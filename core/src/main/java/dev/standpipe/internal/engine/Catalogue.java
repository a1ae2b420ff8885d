package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import java.util.List;
import java.util.Map;
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

package dev.standpipe;

import java.util.Optional;

/**
 * Where the work of a pipeline queues: every definition of it, which is every version of its graph,
 * has a lane of its own.
 *
 * @param pipeline the pipeline's name
 * @param definition the hash of one definition; empty for all of them
 */
public record Lane(String pipeline, Optional<String> definition) {
  /** All lanes of a pipeline. */
  public static Lane of(String pipeline) {
    return new Lane(pipeline, Optional.empty());
  }

  /** The lane of one definition. */
  public static Lane of(String pipeline, String definition) {
    return new Lane(pipeline, Optional.of(definition));
  }

  /** The lane of this very version of a pipeline. */
  public static Lane of(Pipeline<?, ?> pipeline) {
    return of(pipeline.name(), pipeline.graph().hash());
  }

  @Override
  public String toString() {
    return pipeline + definition.map(hash -> "@" + hash).orElse("");
  }
}

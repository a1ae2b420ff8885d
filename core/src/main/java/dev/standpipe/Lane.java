package dev.standpipe;

import dev.standpipe.internal.Required;

/**
 * Where the work of a pipeline queues: every definition of it, which is every version of its graph,
 * has a lane of its own.
 *
 * @param pipeline the pipeline's name
 * @param definition the hash of the definition
 */
public record Lane(String pipeline, String definition) {
  /** The lane of this very version of a pipeline. */
  public static Lane of(Pipeline<?, ?> pipeline) {
    Required.given(pipeline, "pipeline");
    return new Lane(pipeline.name(), pipeline.graph().hash());
  }

  @Override
  public String toString() {
    return pipeline + "@" + definition;
  }
}

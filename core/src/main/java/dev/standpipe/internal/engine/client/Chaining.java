package dev.standpipe.internal.engine.client;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import java.util.UUID;

/** Chains runs to one another. */
interface Chaining {
  /** Starts a run on the result of another. */
  <R> Run<R> then(UUID upstream, Pipeline<?, R> next, RunOptions options);
}

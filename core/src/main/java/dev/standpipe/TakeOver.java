package dev.standpipe;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Required;
import java.util.HashMap;
import java.util.Map;

/**
 * Has a pipeline's code go on with runs of its older definitions: each run keeps its graph, and the
 * body of a node is that of the same key now, or of the key it was renamed to. Only definitions
 * that can be continued are: every node is still there, of the same kind, and gets the values of
 * the same nodes. Immutable; each method returns a changed copy.
 *
 * @param pipeline the pipeline as it is now
 * @param renamed the keys nodes have now, by those they had
 */
public record TakeOver(Pipeline<?, ?> pipeline, Map<String, String> renamed) {
  /** Checks that the pipeline has the new keys. */
  public TakeOver {
    renamed = Map.copyOf(renamed);
    renamed.forEach(
        (before, now) -> {
          if (pipeline.graph().find(now) == null) {
            throw new StandpipeException(
                ErrorCode.INVALID_SETTING,
                "Node \"%s\" cannot have been renamed to \"%s\": pipeline \"%s\" has no such node"
                    .formatted(before, now, pipeline.name()));
          }
        });
  }

  /** With nothing renamed. */
  public static TakeOver of(Pipeline<?, ?> pipeline) {
    return new TakeOver(Required.given(pipeline, "pipeline"), Map.of());
  }

  /** A node had another key. */
  public TakeOver renamed(String before, String now) {
    Map<String, String> all = new HashMap<>(renamed);
    all.put(Required.given(before, "former key"), Required.given(now, "new key"));
    return new TakeOver(pipeline, all);
  }
}

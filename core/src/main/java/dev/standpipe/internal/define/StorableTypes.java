package dev.standpipe.internal.define;

import dev.standpipe.Pipeline;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.spi.PayloadCodec;
import java.util.ArrayList;
import java.util.List;

/** Finds types whose values a codec can never store: before anything runs, not by a value. */
public final class StorableTypes {
  private StorableTypes() {}

  /**
   * Checks the types of all nodes.
   *
   * @throws DefinitionException listing what the codec has against the types of one pipeline
   */
  public static void require(List<Pipeline<?, ?>> pipelines, PayloadCodec codec) {
    for (Pipeline<?, ?> pipeline : pipelines) {
      List<String> problems = new ArrayList<>();
      pipeline.graph().nodes().stream()
          .flatMap(node -> pipeline.step(node.key()).stream())
          .forEach(
              step ->
                  codec
                      .problems(step.type().type())
                      .forEach(problem -> problems.add("\"" + step.key() + "\": " + problem)));
      if (!problems.isEmpty()) {
        throw new DefinitionException(pipeline.name(), problems);
      }
    }
  }
}

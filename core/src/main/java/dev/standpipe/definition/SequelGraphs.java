package dev.standpipe.definition;

import java.util.List;

/**
 * The graphs of the hidden pipelines. They follow from the graph of the pipeline they belong to, so
 * that whoever ends a run knows them, served or not.
 */
public final class SequelGraphs {
  private SequelGraphs() {}

  /** The graph of what follows the end of a run of this graph. */
  public static Graph of(Graph original, Sequel sequel) {
    String name = sequel.of(original.pipeline());
    return switch (sequel) {
      case ON_SUCCESS, ON_FAILURE, ON_HALT, ON_COMPLETE -> callback(name, sequel.word());
      case COMPENSATE -> throw new IllegalArgumentException(name);
    };
  }

  private static Graph callback(String name, String key) {
    GraphNode input = new GraphNode(GraphNode.INPUT_KEY, NodeKind.INPUT, List.of(), List.of());
    GraphNode step = new GraphNode(key, NodeKind.STEP, List.of(input.key()), List.of());
    return Graph.of(name, List.of(input, step), key);
  }
}

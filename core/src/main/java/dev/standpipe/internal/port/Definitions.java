package dev.standpipe.internal.port;

import dev.standpipe.definition.Graph;
import java.util.List;
import java.util.Optional;

/** The {@code definition} and {@code lane} tables. */
public interface Definitions {
  /**
   * A definition as it is stored.
   *
   * @param lane the lane that its runs are started in
   * @param hash what tells it from others, as it was registered with
   * @param graph its graph
   */
  record Registered(int lane, String hash, Graph graph) {
    /** One that was written as this version writes it. */
    public Registered(int lane, Graph graph) {
      this(lane, graph.hash(), graph);
    }
  }

  /**
   * A lane with work that no live process serves.
   *
   * @param lane the lane
   * @param pipeline the pipeline's name
   * @param hash the definition
   */
  record Unserved(int lane, String pipeline, String hash) {}

  /**
   * A definition that has runs which have not ended.
   *
   * @param definition it
   * @param runs how many
   */
  record DefinitionInUse(Registered definition, long runs) {}

  /** The definitions that have runs which have not ended. */
  List<DefinitionInUse> inFlight();

  /** All definitions of this pipeline, the newest first. */
  List<Registered> all(String pipeline);

  /**
   * Stores a graph and makes its lanes, unless they are there already, as its pipeline's newest;
   * returns the lane that its runs are started in.
   */
  int register(Graph graph);

  /** The lane of a graph that had this one: it still has, or it is registered as if it were new. */
  int restore(int lane, Graph graph);

  /** The definition of this pipeline registered last. */
  Optional<Registered> newest(String pipeline);

  /** The definition of a lane that processes serve. */
  Optional<Registered> byLane(int lane);

  /** The lanes that have ready tasks and no process to run them. */
  List<Unserved> unserved();
}

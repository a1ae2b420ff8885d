package dev.standpipe.internal;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the results of another run, for what follows its end: every {@link
 * dev.standpipe.StepContext} that the engine makes is one. Thread-safe.
 */
public interface RunResults {
  /** The value of a step of a run; empty if it has none, or is {@code null}. */
  Optional<Object> value(UUID run, String node, int index, Type type);

  /**
   * The result of a run that has succeeded; empty if it has none, or is {@code null}.
   *
   * @param node the node it is the value of, unless a step has ended the run early
   */
  Optional<Object> output(UUID run, String node, Type type);

  /** The indexes of the steps of a node that have succeeded, in order. */
  List<Integer> succeeded(UUID run, String node);
}

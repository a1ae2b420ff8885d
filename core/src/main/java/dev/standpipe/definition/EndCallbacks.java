package dev.standpipe.definition;

import java.util.List;

/**
 * All that can follow the end of a pipeline's runs.
 *
 * @param all what, in the order of {@link EndCallback}
 * @param compensated the keys of the steps that can be undone, sorted
 */
public record EndCallbacks(List<EndCallback> all, List<String> compensated) {
  /** Nothing. */
  public static final EndCallbacks NONE = new EndCallbacks(List.of(), List.of());

  /** Copies and sorts the lists. */
  public EndCallbacks {
    all = all.stream().sorted().toList();
    compensated = compensated.stream().sorted().toList();
  }

  /** Whether nothing follows. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether this does. */
  public boolean has(EndCallback endCallback) {
    return all.contains(endCallback);
  }
}

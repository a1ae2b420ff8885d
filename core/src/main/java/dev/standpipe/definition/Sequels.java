package dev.standpipe.definition;

import java.util.List;

/**
 * All that can follow the end of a pipeline's runs.
 *
 * @param all what, in the order of {@link Sequel}
 * @param compensated the keys of the steps that can be undone, sorted
 */
public record Sequels(List<Sequel> all, List<String> compensated) {
  /** Nothing. */
  public static final Sequels NONE = new Sequels(List.of(), List.of());

  /** Copies and sorts the lists. */
  public Sequels {
    all = all.stream().sorted().toList();
    compensated = compensated.stream().sorted().toList();
  }

  /** Whether nothing follows. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether this does. */
  public boolean has(Sequel sequel) {
    return all.contains(sequel);
  }
}

package dev.standpipe.operate;

import dev.standpipe.Lane;
import java.util.List;

/**
 * A definition that code cannot go on with, though runs of it have not ended.
 *
 * @param lane the definition
 * @param runs how many runs of it have not ended
 * @param problems why
 */
public record Incompatibility(Lane lane, long runs, List<String> problems) {
  /** Copies the list. */
  public Incompatibility {
    problems = List.copyOf(problems);
  }
}

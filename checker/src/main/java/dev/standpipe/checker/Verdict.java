package dev.standpipe.checker;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the checker found.
 *
 * @param summary what it looked at
 * @param violations what did not hold; empty if all did
 */
public record Verdict(String summary, List<Violation> violations) {
  /** Copies the list. */
  public Verdict {
    violations = List.copyOf(violations);
  }

  /** Whether every invariant held. */
  public boolean holds() {
    return violations.isEmpty();
  }

  @Override
  public String toString() {
    return holds()
        ? "All invariants hold: " + summary
        : violations.size()
            + " violations: "
            + summary
            + violations.stream()
                .map(violation -> "\n  " + violation)
                .collect(Collectors.joining());
  }
}

package dev.standpipe.internal.define;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds nodes that wait for each other in a circle. */
final class Cycle {
  private Cycle() {}

  /** Removes nodes whose dependencies are all removed; the nodes that are left have a cycle. */
  static Optional<String> find(List<NodeDraft> drafts) {
    Set<NodeDraft> own = new HashSet<>(drafts);
    Map<NodeDraft, Integer> missing = new HashMap<>();
    Map<NodeDraft, List<NodeDraft>> dependents = new HashMap<>();
    Deque<NodeDraft> free = new ArrayDeque<>();
    for (NodeDraft draft : drafts) {
      Set<NodeDraft> dependencies = draft.awaited();
      dependencies.retainAll(own);
      missing.put(draft, dependencies.size());
      dependencies.forEach(d -> dependents.computeIfAbsent(d, k -> new ArrayList<>()).add(draft));
      if (dependencies.isEmpty()) {
        free.add(draft);
      }
    }
    Set<NodeDraft> left = new LinkedHashSet<>(drafts);
    while (!free.isEmpty()) {
      NodeDraft draft = free.remove();
      left.remove(draft);
      for (NodeDraft next : dependents.getOrDefault(draft, List.of())) {
        if (missing.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
    return left.isEmpty() ? Optional.empty() : Optional.of(path(left));
  }

  /** Follows dependencies among the nodes left until one repeats. */
  private static String path(Set<NodeDraft> left) {
    List<NodeDraft> walked = new ArrayList<>();
    Set<NodeDraft> seen = new HashSet<>();
    NodeDraft at = left.iterator().next();
    while (seen.add(at)) {
      walked.add(at);
      at = at.awaited().stream().filter(left::contains).findFirst().orElseThrow();
    }
    List<String> cycle = new ArrayList<>();
    walked.subList(walked.indexOf(at), walked.size()).forEach(draft -> cycle.add(draft.key));
    cycle.add(at.key);
    Collections.reverse(cycle);
    return String.join(" -> ", cycle);
  }
}

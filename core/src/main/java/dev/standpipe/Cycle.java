package dev.standpipe;

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

  /** Removes nodes whose dependencies are all removed; what is left has a cycle in it. */
  static Optional<String> find(List<Draft> drafts) {
    Set<Draft> own = new HashSet<>(drafts);
    Map<Draft, Integer> missing = new HashMap<>();
    Map<Draft, List<Draft>> dependents = new HashMap<>();
    Deque<Draft> free = new ArrayDeque<>();
    for (Draft draft : drafts) {
      Set<Draft> dependencies = awaited(draft);
      dependencies.retainAll(own);
      missing.put(draft, dependencies.size());
      dependencies.forEach(d -> dependents.computeIfAbsent(d, k -> new ArrayList<>()).add(draft));
      if (dependencies.isEmpty()) {
        free.add(draft);
      }
    }
    Set<Draft> left = new LinkedHashSet<>(drafts);
    while (!free.isEmpty()) {
      Draft draft = free.remove();
      left.remove(draft);
      for (Draft next : dependents.getOrDefault(draft, List.of())) {
        if (missing.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
    return left.isEmpty() ? Optional.empty() : Optional.of(path(left));
  }

  /** Follows dependencies among the nodes left until one repeats. */
  private static String path(Set<Draft> left) {
    List<Draft> walked = new ArrayList<>();
    Set<Draft> seen = new HashSet<>();
    Draft at = left.iterator().next();
    while (seen.add(at)) {
      walked.add(at);
      at = awaited(at).stream().filter(left::contains).findFirst().orElseThrow();
    }
    List<String> cycle = new ArrayList<>();
    walked.subList(walked.indexOf(at), walked.size()).forEach(draft -> cycle.add(draft.key));
    cycle.add(at.key);
    Collections.reverse(cycle);
    return String.join(" -> ", cycle);
  }

  /** What is on an arm waits for the divert as well, whatever its inputs are. */
  private static Set<Draft> awaited(Draft draft) {
    Set<Draft> all = Validation.dependencies(draft);
    Draft.ArmPlace place = draft.place;
    if (place != null) {
      all.add(place.divert());
    }
    return all;
  }
}

package dev.standpipe.internal.store.sharedrows;

import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.store.jdbc.GroupSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which of the runs that are started together have their first tasks share a row: those that are
 * ready at once, with one first step and the same priority, if they are many. See decision 020.
 */
final class Bundling {
  private static final int FEW = GroupSize.FEW.number();
  private static final int LARGEST = GroupSize.BUNDLE.number();

  private Bundling() {}

  /** The bundle of each, in their order; null for those that have a task of their own. */
  static List<@Nullable UUID> of(List<NewRun> runs, List<Entry> entries) {
    List<@Nullable UUID> bundles = new ArrayList<>(Collections.nCopies(runs.size(), null));
    if (entries.size() == 1 && runs.size() > FEW) {
      for (List<Integer> alike : ready(runs).values()) {
        if (alike.size() > FEW) {
          assign(bundles, alike);
        }
      }
    }
    return bundles;
  }

  /** The places of those that anybody may begin at once, by priority. */
  private static Map<Integer, List<Integer>> ready(List<NewRun> runs) {
    Map<Integer, List<Integer>> ready = new TreeMap<>();
    for (int i = 0; i < runs.size(); i++) {
      NewRun run = runs.get(i);
      if (run.owner() == null && run.delayMicros() == 0) {
        ready.computeIfAbsent(run.priority(), priority -> new ArrayList<>()).add(i);
      }
    }
    return ready;
  }

  private static void assign(List<@Nullable UUID> bundles, List<Integer> alike) {
    for (int from = 0; from < alike.size(); from += LARGEST) {
      UUID bundle = UUID.randomUUID();
      alike
          .subList(from, Math.min(from + LARGEST, alike.size()))
          .forEach(place -> bundles.set(place, bundle));
    }
  }
}

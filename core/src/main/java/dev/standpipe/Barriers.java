package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Turns barriers into edges: from what is declared before and nothing else waits for, to what is
 * declared after and waits for nothing else. A barrier on an arm parts what is on that arm.
 */
final class Barriers {
  private Barriers() {}

  static void connect(List<Draft> drafts) {
    for (int at = 0; at < drafts.size(); at++) {
      if (drafts.get(at).kind == NodeKind.BARRIER) {
        connect(drafts, at);
      }
    }
  }

  private static void connect(List<Draft> drafts, int at) {
    Draft barrier = drafts.get(at);
    barrier.after.addAll(ends(within(barrier, drafts.subList(0, at))));
    List<Draft> later = within(barrier, drafts.subList(at + 1, drafts.size()));
    Set<Draft> all = new HashSet<>(later);
    for (Draft draft : later) {
      if (draft.kind == NodeKind.BARRIER && Objects.equals(draft.place, barrier.place)) {
        return; // and what comes after that one waits for it
      }
      if (dependencies(draft).stream().noneMatch(all::contains)) {
        draft.after.add(barrier);
      }
    }
  }

  private static List<Draft> within(Draft barrier, List<Draft> drafts) {
    Draft.ArmPlace place = barrier.place;
    return place == null
        ? List.copyOf(drafts)
        : drafts.stream().filter(draft -> draft.isOn(place)).toList();
  }

  private static List<Draft> ends(List<Draft> drafts) {
    Set<Draft> ends = new LinkedHashSet<>(drafts);
    drafts.forEach(draft -> ends.removeAll(dependencies(draft)));
    return new ArrayList<>(ends);
  }

  private static Set<Draft> dependencies(Draft draft) {
    Set<Draft> all = new HashSet<>(draft.inputs);
    all.addAll(draft.after);
    if (draft.place != null) {
      all.add(draft.place.divert());
    }
    return all;
  }
}

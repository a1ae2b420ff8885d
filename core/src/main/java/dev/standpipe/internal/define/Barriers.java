package dev.standpipe.internal.define;

import dev.standpipe.definition.NodeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Turns barriers into edges: from the nodes declared before that no other node waits for, to the
 * nodes declared after that wait for no other node. A barrier on an arm parts the nodes on that
 * arm.
 */
final class Barriers {
  private Barriers() {}

  static void connect(List<NodeDraft> drafts) {
    for (int at = 0; at < drafts.size(); at++) {
      if (drafts.get(at).kind == NodeKind.BARRIER) {
        connect(drafts, at);
      }
    }
  }

  private static void connect(List<NodeDraft> drafts, int at) {
    NodeDraft barrier = drafts.get(at);
    barrier.after.addAll(ends(within(barrier, drafts.subList(0, at))));
    List<NodeDraft> later = within(barrier, drafts.subList(at + 1, drafts.size()));
    Set<NodeDraft> all = new HashSet<>(later);
    for (NodeDraft draft : later) {
      if (draft.kind == NodeKind.BARRIER && Objects.equals(draft.place, barrier.place)) {
        return; // and what comes after that one waits for it
      }
      if (draft.awaited().stream().noneMatch(all::contains)) {
        draft.after.add(barrier);
      }
    }
  }

  private static List<NodeDraft> within(NodeDraft barrier, List<NodeDraft> drafts) {
    NodeDraft.ArmPlace place = barrier.place;
    return place == null
        ? List.copyOf(drafts)
        : drafts.stream().filter(draft -> draft.isOn(place)).toList();
  }

  private static List<NodeDraft> ends(List<NodeDraft> drafts) {
    Set<NodeDraft> ends = new LinkedHashSet<>(drafts);
    drafts.forEach(draft -> ends.removeAll(draft.awaited()));
    return new ArrayList<>(ends);
  }
}

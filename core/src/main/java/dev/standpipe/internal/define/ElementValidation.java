package dev.standpipe.internal.define;

import dev.standpipe.definition.NodeKind;
import java.util.stream.Stream;

/** Finds the mistakes of expands, and of nodes that run for each element. */
final class ElementValidation {
  private final Problems problems;

  ElementValidation(Problems problems) {
    this.problems = problems;
  }

  void checkBarriers(NodeDraft draft) {
    for (NodeDraft before : draft.after) {
      if (draft.isPerElement() && before.kind == NodeKind.BARRIER) {
        problems.add(
            "step %s after the barrier %s runs for each element of an expand before it: collapse"
                + " the elements first, or expand after the barrier",
            draft.key, before.key);
      }
    }
  }

  void checkElements(NodeDraft draft) {
    if (!draft.isBroughtTogether()) {
      problems.add(
          "what is inside of the expand %s does not end with one value for each element outside:"
              + " end it with a collapse",
          draft.key);
    }
    boolean several = draft.inputs.size() > 1 && draft.kind != NodeKind.CONVERGE;
    if (several && draft.inputs.stream().anyMatch(NodeDraft::isPerElement)) {
      problems.add(
          "step %s brings together values of single elements: collapse them first", draft.key);
    }
    checkOrder(draft);
    if (draft.kind == NodeKind.EXPAND && draft.isPerElement()) {
      checkRoom(draft);
      if (draft.isStreamed()) {
        problems.add(
            "the expand %s takes its elements from a stream for each element of another: expand a"
                + " list there, or the stream outside",
            draft.key);
      }
    }
  }

  private void checkOrder(NodeDraft draft) {
    boolean single = draft.isPerElement() || draft.after.stream().anyMatch(NodeDraft::isPerElement);
    boolean barrier =
        Stream.concat(draft.after.stream(), Stream.of(draft))
            .anyMatch(d -> d.kind == NodeKind.BARRIER);
    if (single && !barrier && !draft.after.isEmpty()) {
      problems.add(
          "step %s comes after others for a single element: only what runs once can", draft.key);
    }
  }

  /** Elements of expands inside each other are numbered through. */
  private void checkRoom(NodeDraft expand) {
    long product = 1;
    for (NodeDraft at = expand; at != null; at = at.scope()) {
      product = Math.min(product * at.limit(), 1L << 31);
    }
    if (product > Integer.MAX_VALUE) {
      problems.add(
          "the limits of the expand %s and of those around it multiply to more than 2147483647:"
              + " lower them with limit(…)",
          expand.key);
    }
  }

  /**
   * Where a failure need not halt the run, the rows do not tell for which element outside, or on
   * which element's arm, a step has failed.
   */
  void checkLenient(NodeDraft draft) {
    if (draft.kind == NodeKind.DIVERT && draft.isPerElement()) {
      problems.add(
          "the divert %s is for each element, and failures need not halt the run: divert before"
              + " the expand, or let every failure halt",
          draft.key);
    }
    if (draft.kind == NodeKind.EXPAND && draft.isPerElement()) {
      problems.add(
          "the expand %s is inside another, and failures need not halt the run: expand once, or"
              + " let every failure halt",
          draft.key);
    }
  }
}

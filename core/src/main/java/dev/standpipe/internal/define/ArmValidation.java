package dev.standpipe.internal.define;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import org.jspecify.annotations.Nullable;

/** Finds the mistakes of diverts, and of nodes on their arms. */
final class ArmValidation {
  private final Problems problems;

  ArmValidation(Problems problems) {
    this.problems = problems;
  }

  void checkDivert(DivertDraft divert) {
    String key = divert.node().key;
    if (!divert.isConverged()) {
      problems.add("the divert %s is not converged: end its arms with converge()", key);
    } else if (!divert.isConvergedInPlace()) {
      problems.add(
          "the divert %s is converged on another arm: converge it where it is diverted", key);
    }
    if (!divert.isComplete()) {
      problems.add("the divert %s has no otherwise: add one, or say orHalt()", key);
    }
    for (String arm : divert.armsWiredTwice()) {
      problems.add("the divert %s has several arms %s", key, arm);
    }
    for (String arm : divert.arms()) {
      problems.requireName("the arm %s of %s", arm, key);
    }
    for (String arm : divert.armsGoneAstray()) {
      problems.add(
          "the arm %s of %s does not end where it began: end it with a value of what was diverted",
          arm, key);
    }
    if (divert.options().strategy().filter(Strategy.IGNORE::equals).isPresent()) {
      problems.add(
          "the divert %s cannot be ignored: without it no arm is taken; let it continue", key);
    }
    for (String arm : divert.armsOfOtherTypes()) {
      problems.add(
          "the arm %s of %s does not end with the type that converge(…) names: give it one of which"
              + " all arms are",
          arm, key);
    }
    if (divert.isOfSeveralTypes()) {
      problems.add(
          "the arms of %s end with different types: give converge(…) their common type", key);
    }
  }

  /** Checks where a node stands, and where the nodes stand that it depends on. */
  void checkArms(NodeDraft draft) {
    for (NodeDraft dependency : draft.dependencies()) {
      NodeDraft.ArmPlace apart = armsApart(draft, dependency);
      if (apart != null) {
        problems.add(
            "step %s depends on %s of another arm of the divert %s, which is skipped whenever it"
                + " runs",
            draft.key, dependency.key, apart.divert().key);
      }
    }
    NodeDraft.ArmPlace place = draft.place;
    if (place != null && place.divert().scope() != draft.scope()) {
      checkElementsOnArm(draft, place);
    }
    draft.inputs.forEach(input -> checkUse(draft, input));
  }

  /** An arm is taken once, or by each element of an expand; a node on it cannot be for others. */
  private void checkElementsOnArm(NodeDraft draft, NodeDraft.ArmPlace place) {
    if (!draft.isWithin(place.divert().scope())) {
      problems.add(
          "step %s on an arm of %s is not for the elements that take it: wire it outside of the"
              + " arm",
          draft.key, place.divert().key);
    } else if (!draft.inputs.get(0).isOn(place)) {
      problems.add(
          "step %s on an arm of %s runs for each element of an expand outside of it: put the expand"
              + " on the arm",
          draft.key, place.divert().key);
    }
  }

  /** A node on an arm that elements take has no value for the elements that do not take it. */
  private void checkUse(NodeDraft draft, NodeDraft input) {
    for (NodeDraft.ArmPlace at = input.place; at != null; at = at.divert().place) {
      boolean converges = draft.kind == NodeKind.CONVERGE && draft.inputs.get(0) == at.divert();
      if (at.divert().isPerElement() && !draft.isOn(at) && !converges) {
        problems.add(
            "step %s uses %s, which only those elements have that take the arm %s of %s: use it on"
                + " that arm, or converge the arms first",
            draft.key, input.key, at.arm(), at.divert().key);
      }
    }
  }

  /** Where two nodes part that are on different arms of one divert. */
  private static NodeDraft.@Nullable ArmPlace armsApart(NodeDraft one, NodeDraft other) {
    for (NodeDraft.ArmPlace at = one.place; at != null; at = at.divert().place) {
      for (NodeDraft.ArmPlace of = other.place; of != null; of = of.divert().place) {
        if (at.divert() == of.divert() && !at.arm().equals(of.arm())) {
          return at;
        }
      }
    }
    return null;
  }
}

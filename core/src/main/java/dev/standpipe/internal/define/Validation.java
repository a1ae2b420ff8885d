package dev.standpipe.internal.define;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.NodeKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds every mistake of a definition, before anything is written. */
final class Validation {
  private final String name;
  private final FlowDraft flow;
  private final List<NodeDraft> drafts;
  private final Problems problems = new Problems();

  private Validation(String name, FlowDraft flow, List<NodeDraft> drafts) {
    this.name = name;
    this.flow = flow;
    this.drafts = drafts;
  }

  /** All mistakes of a definition. */
  static List<String> problems(
      String name, FlowDraft flow, List<NodeDraft> drafts, NodeDraft output) {
    Validation validation = new Validation(name, flow, drafts);
    validation.checkNodes();
    validation.checkCalls();
    flow.diverts().forEach(new ArmValidation(validation.problems)::checkDivert);
    validation.checkCallbacks();
    validation.checkOutput(output);
    return validation.problems.all();
  }

  /** The mistakes of a definition whose wiring broke off. */
  static List<String> problems(String name, FlowDraft flow, List<NodeDraft> drafts) {
    Validation validation = new Validation(name, flow, drafts);
    validation.checkNodes();
    return validation.problems.all();
  }

  private void checkNodes() {
    problems.requireName("the name %s", name);
    problems.addAll(flow.problems());
    OptionValidation options = new OptionValidation(problems);
    ElementValidation elements = new ElementValidation(problems);
    checkKeys();
    options.checkInput(flow.input());
    checkForeign();
    Cycle.find(drafts)
        .map(cycle -> "there is a cycle: " + cycle + "; remove one of these edges")
        .ifPresent(cycle -> problems.addAll(List.of(cycle)));
    drafts.forEach(new ArmValidation(problems)::checkArms);
    drafts.forEach(elements::checkBarriers);
    drafts.forEach(options::checkLimit);
    drafts.forEach(options::checkWindow);
    drafts.forEach(elements::checkElements);
    drafts.forEach(options::checkCompensation);
    drafts.forEach(options::checkUnheeded);
    if (flow.strategies().isLenient()) {
      drafts.forEach(elements::checkLenient);
    }
  }

  private void checkKeys() {
    Set<String> seen = new HashSet<>();
    Set<String> reported = new HashSet<>();
    for (NodeDraft draft : drafts) {
      if (draft.kind == NodeKind.INPUT) {
        continue;
      }
      problems.requireName("the key %s", draft.key);
      if (!seen.add(draft.key) && reported.add(draft.key)) {
        problems.add("several nodes have the key %s: give each its own", draft.key);
      }
    }
  }

  private void checkForeign() {
    Set<NodeDraft> own = new HashSet<>(drafts);
    for (NodeDraft draft : drafts) {
      for (NodeDraft dependency : draft.dependencies()) {
        if (!own.contains(dependency)) {
          problems.add(
              "step %s depends on %s of another pipeline: use only nodes made from this flow's"
                  + " input",
              draft.key, dependency.key);
        }
      }
    }
  }

  /** A run of a pipeline that calls itself would call another, and that another, without end. */
  private void checkCalls() {
    for (NodeDraft draft : drafts) {
      if (draft.called().anyMatch(pipeline -> pipeline.name().equals(name))) {
        problems.add(
            "the call %s leads back to a pipeline of this name: give one of them another name, or"
                + " start a run from a body",
            draft.key);
      }
    }
  }

  private void checkCallbacks() {
    Set<EndCallback> seen = new HashSet<>();
    for (CallbackDraft callback : flow.callbacks()) {
      EndCallback endCallback = callback.endCallback();
      if (!seen.add(endCallback)) {
        problems.add(
            "it has several " + endCallback.word() + ": give one, which may do several things");
      }
    }
  }

  private void checkOutput(NodeDraft output) {
    if (drafts.size() == 1) {
      problems.add("it has no steps: add at least one to flow.input()");
    }
    if (!drafts.contains(output)) {
      problems.add(
          "the result %s is a node of another pipeline: return one of this flow", output.key);
    } else if (output.place != null) {
      problems.add(
          "the result %s is on an arm of the divert %s and may be skipped: return a node after the"
              + " converge",
          output.key, output.place.divert().key);
    } else if (output.isPerElement()) {
      problems.add("the result %s is one for each element: collapse them first", output.key);
    } else if (output.kind == NodeKind.INPUT && drafts.size() > 1) {
      problems.add(
          "the result is the input itself: return the node whose value is the run's result");
    }
  }
}

package dev.standpipe.internal.define;

import dev.standpipe.definition.NodeKind;

/** Finds options on nodes that cannot heed them. */
final class OptionValidation {
  private final Problems problems;

  OptionValidation(Problems problems) {
    this.problems = problems;
  }

  void checkInput(NodeDraft input) {
    if (input.isConfigured()) {
      problems.add(
          "the input has no body: put retry, timeout, delay, strategy and after on a step");
    }
  }

  void checkLimit(NodeDraft draft) {
    boolean can = draft.kind == NodeKind.EXPAND || draft.kind == NodeKind.LOOP;
    if (draft.options().limit().isPresent() && !can) {
      problems.add("step %s has a limit: put it on the expand or the loop itself", draft.key);
    }
    if (draft.options().keep().isPresent() && draft.kind != NodeKind.LOOP) {
      problems.add("step %s keeps turns: put keep on the loop itself", draft.key);
    }
  }

  void checkWindow(NodeDraft draft) {
    if (draft.options().window().isPresent() && !draft.isStreamed()) {
      problems.add(
          "step %s has a window: only an expandStream or an expandFrom can wait for one",
          draft.key);
    }
  }

  void checkCompensation(NodeDraft draft) {
    boolean can =
        draft.kind == NodeKind.STEP
            || draft.kind == NodeKind.LOOP
            || draft.kind == NodeKind.COLLAPSE
            || draft.kind == NodeKind.INPUT; // which is refused anyway
    if (draft.options().isCompensated() && !can) {
      problems.add("%s has nothing to undo: put compensate on a step", draft.key);
    }
  }

  /** Neither an await nor a call runs a body; a call that fails can be made again. */
  void checkUnheeded(NodeDraft draft) {
    for (String option : draft.options().forABody()) {
      if (draft.kind == NodeKind.CALL && !option.equals("retry")) {
        problems.add(
            "the call %s has a "
                + option
                + ": put it on the steps of what it calls, or a delay before it",
            draft.key);
      } else if (draft.kind == NodeKind.AWAIT) {
        problems.add(
            "the await %s has a "
                + option
                + ": say with within(…) how long it waits, and put a delay before it",
            draft.key);
      }
    }
  }
}

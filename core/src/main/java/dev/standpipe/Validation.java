package dev.standpipe;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds every mistake of a definition, before anything is written. */
final class Validation {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}");
  private static final String NAME_RULE =
      "use 1 to 100 letters, digits and . _ : / - , starting with a letter or digit";

  private final List<Draft> drafts;
  private final List<String> problems = new ArrayList<>();

  private Validation(List<Draft> drafts) {
    this.drafts = drafts;
  }

  /** All mistakes of a definition. */
  static List<String> problems(String name, List<Draft> drafts, Draft output) {
    Validation validation = new Validation(drafts);
    validation.checkNodes(name);
    validation.checkCalls(name);
    drafts.get(0).flow.diverts().forEach(validation::checkDivert);
    validation.checkCallbacks(drafts.get(0).flow.callbacks());
    validation.checkOutput(output);
    return validation.problems;
  }

  /** The mistakes of a definition whose wiring broke off. */
  static List<String> problems(String name, List<Draft> drafts) {
    Validation validation = new Validation(drafts);
    validation.checkNodes(name);
    return validation.problems;
  }

  private void checkNodes(String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      add("the name " + quote(String.valueOf(name)) + " is not valid: " + NAME_RULE);
    }
    drafts.get(0).flow.problems().forEach(this::add);
    checkKeys();
    checkInput();
    checkForeign();
    Cycle.find(drafts)
        .ifPresent(cycle -> add("there is a cycle: " + cycle + "; remove one of these edges"));
    drafts.forEach(this::checkArms);
    drafts.forEach(this::checkBarriers);
    checkLimits();
    drafts.forEach(this::checkElements);
    drafts.forEach(this::checkCompensation);
    drafts.forEach(this::checkWaiting);
    checkStrategies();
  }

  private void checkKeys() {
    Set<String> seen = new HashSet<>();
    Set<String> reported = new HashSet<>();
    for (Draft draft : drafts) {
      if (draft.kind == NodeKind.INPUT) {
        continue;
      }
      if (!NAME.matcher(draft.key).matches()) {
        add("the key " + quote(draft.key) + " is not valid: " + NAME_RULE);
      }
      if (!seen.add(draft.key) && reported.add(draft.key)) {
        add("several nodes have the key " + quote(draft.key) + ": give each its own");
      }
    }
  }

  /** A run of a pipeline that calls itself would call another, and that another, without end. */
  private void checkCalls(String name) {
    for (Draft draft : drafts) {
      if (draft.called().anyMatch(pipeline -> pipeline.name().equals(name))) {
        add(
            "the call "
                + quote(draft.key)
                + " leads back to a pipeline of this name: give one of them another name, or start"
                + " a run from a body");
      }
    }
  }

  private void checkInput() {
    if (drafts.get(0).isConfigured()) {
      add("the input has no body: put retry, timeout, delay, strategy and after on a step");
    }
  }

  private void checkCallbacks(List<Callback> callbacks) {
    Set<EndCallback> seen = new HashSet<>();
    for (Callback callback : callbacks) {
      if (!seen.add(callback.endCallback)) {
        add(
            "it has several "
                + callback.endCallback.word()
                + ": give one, which may do several things");
      }
    }
  }

  private void checkCompensation(Draft draft) {
    boolean can =
        draft.kind == NodeKind.STEP
            || draft.kind == NodeKind.COLLAPSE
            || draft.kind == NodeKind.INPUT; // which is refused anyway
    if (draft.isCompensated() && !can) {
      add(quote(draft.key) + " has nothing to undo: put compensate on a step");
    }
  }

  /** Neither an await nor a call runs a body; a call that fails can be made again. */
  private void checkWaiting(Draft draft) {
    List<String> unheeded = new ArrayList<>(draft.forABody());
    if (draft.kind == NodeKind.CALL) {
      unheeded.remove("retry");
      unheeded.forEach(
          told ->
              add(
                  "the call "
                      + quote(draft.key)
                      + " has a "
                      + told
                      + ": put it on the steps of what it calls, or a delay before it"));
    } else if (draft.kind == NodeKind.AWAIT) {
      unheeded.forEach(
          told ->
              add(
                  "the await "
                      + quote(draft.key)
                      + " has a "
                      + told
                      + ": say with within(…) how long it waits, and put a delay before it"));
    }
  }

  /**
   * What has failed for one element outside of several, or on an arm that only some elements take,
   * is not kept apart.
   */
  private void checkStrategies() {
    if (!drafts.get(0).flow.strategies().isLenient()) {
      return;
    }
    for (Draft draft : drafts) {
      if (draft.kind == NodeKind.DIVERT && draft.isPerElement()) {
        add(
            "the divert "
                + quote(draft.key)
                + " is for each element, and failures need not halt the run: divert before the"
                + " expand, or let every failure halt");
      }
      if (draft.kind == NodeKind.EXPAND && draft.isPerElement()) {
        add(
            "the expand "
                + quote(draft.key)
                + " is inside another, and failures need not halt the run: expand once, or let every"
                + " failure halt");
      }
    }
  }

  private void checkLimits() {
    drafts.stream()
        .filter(draft -> draft.isLimited() && draft.kind != NodeKind.EXPAND)
        .forEach(
            draft -> add("step " + quote(draft.key) + " has a limit: put it on the expand itself"));
    drafts.stream()
        .filter(draft -> draft.isWindowed() && !draft.isStreamed())
        .forEach(
            draft ->
                add(
                    "step "
                        + quote(draft.key)
                        + " has a window: only an expandStream or an expandFrom can wait for one"));
  }

  private void checkElements(Draft draft) {
    if (!draft.isBroughtTogether()) {
      add(
          "what is inside of the expand "
              + quote(draft.key)
              + " does not end with one value for each element outside: end it with a collapse");
    }
    boolean several = draft.inputs.size() > 1 && draft.kind != NodeKind.CONVERGE;
    if (several && draft.inputs.stream().anyMatch(Draft::isPerElement)) {
      add(
          "step "
              + quote(draft.key)
              + " brings together values of single elements: collapse them first");
    }
    boolean ordered = draft.isPerElement() || draft.after.stream().anyMatch(Draft::isPerElement);
    boolean barrier =
        Stream.concat(draft.after.stream(), Stream.of(draft))
            .anyMatch(d -> d.kind == NodeKind.BARRIER);
    if (ordered && !barrier && !draft.after.isEmpty()) {
      add(
          "step "
              + quote(draft.key)
              + " comes after others for a single element: only what runs once can");
    }
    if (draft.kind == NodeKind.EXPAND && draft.isPerElement()) {
      checkRoom(draft);
      if (draft.isStreamed()) {
        add(
            "the expand "
                + quote(draft.key)
                + " takes its elements from a stream for each element of another: expand a list"
                + " there, or the stream outside");
      }
    }
  }

  /** Elements of expands inside each other are numbered through. */
  private void checkRoom(Draft expand) {
    long product = 1;
    for (Draft at = expand; at != null; at = at.scope()) {
      product = Math.min(product * at.limit(), 1L << 31);
    }
    if (product > Integer.MAX_VALUE) {
      add(
          "the limits of the expand "
              + quote(expand.key)
              + " and of those around it multiply to more than 2147483647: lower them with limit(…)");
    }
  }

  private void checkForeign() {
    Set<Draft> own = new HashSet<>(drafts);
    for (Draft draft : drafts) {
      for (Draft dependency : dependencies(draft)) {
        if (!own.contains(dependency)) {
          add(
              "step "
                  + quote(draft.key)
                  + " depends on "
                  + quote(dependency.key)
                  + " of another pipeline: use only nodes made from this flow's input");
        }
      }
    }
  }

  private void checkDivert(DivertDraft divert) {
    String key = quote(divert.draft.key);
    if (!divert.isConverged()) {
      add("the divert " + key + " is not converged: end its arms with converge()");
    } else if (!divert.isConvergedInPlace()) {
      add("the divert " + key + " is converged on another arm: converge it where it is diverted");
    }
    if (!divert.isComplete()) {
      add("the divert " + key + " has no otherwise: add one, or say orHalt()");
    }
    divert
        .armsWiredTwice()
        .forEach(arm -> add("the divert " + key + " has several arms " + quote(arm)));
    divert.arms().stream()
        .filter(arm -> !NAME.matcher(arm).matches())
        .forEach(
            arm -> add("the arm " + quote(arm) + " of " + key + " is not valid: " + NAME_RULE));
    divert
        .armsGoneAstray()
        .forEach(
            arm ->
                add(
                    "the arm "
                        + quote(arm)
                        + " of "
                        + key
                        + " does not end where it began: end it with a value of what was diverted"));
    if (divert.draft.strategy().filter(Strategy.IGNORE::equals).isPresent()) {
      add("the divert " + key + " cannot be ignored: without it no arm is taken; let it continue");
    }
    divert
        .armsOfOtherTypes()
        .forEach(
            arm ->
                add(
                    "the arm "
                        + quote(arm)
                        + " of "
                        + key
                        + " does not end with the type that converge(…) names: give it one of which"
                        + " all arms are"));
    if (divert.isOfSeveralTypes()) {
      add("the arms of " + key + " end with different types: give converge(…) their common type");
    }
  }

  private void checkArms(Draft draft) {
    for (Draft dependency : dependencies(draft)) {
      Draft.ArmPlace apart = armsApart(draft, dependency);
      if (apart != null) {
        add(
            "step "
                + quote(draft.key)
                + " depends on "
                + quote(dependency.key)
                + " of another arm of the divert "
                + quote(apart.divert().key)
                + ", which is skipped whenever it runs");
      }
    }
    Draft.ArmPlace place = draft.place;
    if (place != null && place.divert().scope() != draft.scope()) {
      checkElementsOnArm(draft, place);
    }
    draft.inputs.forEach(input -> checkUse(draft, input));
  }

  /** An arm is taken once, or by each element of an expand; what is on it cannot be for others. */
  private void checkElementsOnArm(Draft draft, Draft.ArmPlace place) {
    String on = "step " + quote(draft.key) + " on an arm of " + quote(place.divert().key);
    if (!draft.isWithin(place.divert().scope())) {
      add(on + " is not for the elements that take it: wire it outside of the arm");
    } else if (!draft.inputs.get(0).isOn(place)) {
      add(on + " runs for each element of an expand outside of it: put the expand on the arm");
    }
  }

  /** Of what is on an arm that elements take, some elements have no value. */
  private void checkUse(Draft draft, Draft input) {
    for (Draft.ArmPlace at = input.place; at != null; at = at.divert().place) {
      boolean converges = draft.kind == NodeKind.CONVERGE && draft.inputs.get(0) == at.divert();
      if (at.divert().isPerElement() && !draft.isOn(at) && !converges) {
        add(
            "step "
                + quote(draft.key)
                + " uses "
                + quote(input.key)
                + ", which only those elements have that take the arm "
                + quote(at.arm())
                + " of "
                + quote(at.divert().key)
                + ": use it on that arm, or converge the arms first");
      }
    }
  }

  private void checkBarriers(Draft draft) {
    for (Draft before : draft.after) {
      if (draft.isPerElement() && before.kind == NodeKind.BARRIER) {
        add(
            "step "
                + quote(draft.key)
                + " after the barrier "
                + quote(before.key)
                + " runs for each element of an expand before it: collapse the elements first,"
                + " or expand after the barrier");
      }
    }
  }

  /** Where two nodes part that are on different arms of one divert. */
  private static Draft.@Nullable ArmPlace armsApart(Draft one, Draft other) {
    for (Draft.ArmPlace at = one.place; at != null; at = at.divert().place) {
      for (Draft.ArmPlace of = other.place; of != null; of = of.divert().place) {
        if (at.divert() == of.divert() && !at.arm().equals(of.arm())) {
          return at;
        }
      }
    }
    return null;
  }

  private void checkOutput(Draft output) {
    if (drafts.size() == 1) {
      add("it has no steps: add at least one to flow.input()");
    }
    if (!drafts.contains(output)) {
      add(
          "the result "
              + quote(output.key)
              + " is a node of another pipeline: return one of this flow");
    } else if (output.place != null) {
      add(
          "the result "
              + quote(output.key)
              + " is on an arm of the divert "
              + quote(output.place.divert().key)
              + " and may be skipped: return a node after the converge");
    } else if (output.isPerElement()) {
      add("the result " + quote(output.key) + " is one for each element: collapse them first");
    } else if (output.kind == NodeKind.INPUT && drafts.size() > 1) {
      add("the result is the input itself: return the node whose value is the run's result");
    }
  }

  /** What a node names as its input, or as earlier. */
  static Set<Draft> dependencies(Draft draft) {
    Set<Draft> all = new LinkedHashSet<>(draft.inputs);
    all.addAll(draft.after);
    return all;
  }

  private void add(String problem) {
    problems.add(problem);
  }

  private static String quote(String name) {
    return '"' + name + '"';
  }
}

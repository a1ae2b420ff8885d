package dev.standpipe.checker;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** I2: a step has at most one result, and a run that has ended does not change. */
final class OneResult implements Rule {
  @Override
  public String invariant() {
    return "I2";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    Map<Step, Entry> accepted = new HashMap<>();
    for (Entry entry : evidence.entries(What.ACCEPTED)) {
      Entry before = accepted.put(entry.step(), entry);
      if (before != null) {
        violation.accept("two results were accepted: " + before + ", and " + entry);
      }
      if (evidence.result(entry.step()) == null) {
        violation.accept("a result was accepted and is not there: " + entry);
      }
    }
    evidence.ledger().tasks().stream()
        .filter(task -> evidence.result(task.step()) != null)
        .forEach(task -> violation.accept("finished, and there to be done again: " + task));
    evidence.ledger().tasks().stream()
        .filter(task -> hasEnded(evidence, task.step()))
        .forEach(task -> violation.accept("its run has ended, and it goes on: " + task));
  }

  private static boolean hasEnded(Evidence evidence, Step step) {
    Ledger.RunRow run = evidence.run(step.run());
    return run != null && run.hasEnded();
  }
}

package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.RunRow;
import java.util.List;
import java.util.function.Consumer;

/** I1: every acknowledged start reaches a terminal status once faults stop. */
final class EveryRunEnds implements Rule {
  @Override
  public String invariant() {
    return "I1";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    for (Entry start : evidence.entries(What.ACKNOWLEDGED)) {
      if (evidence.run(start.step().run()) == null) {
        violation.accept("the start of " + start.step() + " was acknowledged, and it is not there");
      }
    }
    evidence.ledger().runs().stream()
        .filter(run -> !run.hasEnded())
        .forEach(
            run -> violation.accept("run " + run.id() + " has not ended: " + why(evidence, run)));
  }

  private static String why(Evidence evidence, RunRow run) {
    long tasks =
        evidence.ledger().tasks().stream()
            .filter(task -> task.step().run().equals(run.id()))
            .count();
    List<String> waiting =
        evidence.ledger().arrivals().stream()
            .filter(arrival -> arrival.run().equals(run.id()) && arrival.remaining() > 0)
            .map(arrival -> arrival.node() + " still waits for " + arrival.remaining())
            .toList();
    return "it is " + run.status() + " with " + tasks + " tasks left; fan-ins: " + waiting;
  }
}

package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.RunRow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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
    judgeEnds(evidence, violation);
  }

  /** A run that came to its end has failed if, and only if, a step of it has. */
  private static void judgeEnds(Evidence evidence, Consumer<String> violation) {
    Set<UUID> failed = new HashSet<>();
    evidence.results().values().stream()
        .filter(result -> result.outcome() == Outcome.FAILED)
        .forEach(result -> failed.add(result.step().run()));
    evidence.ledger().runs().stream()
        .filter(RunRow::cameToItsEnd)
        .filter(run -> run.status().equals("failed") != failed.contains(run.id()))
        .forEach(run -> violation.accept("not the end its steps make: " + run));
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

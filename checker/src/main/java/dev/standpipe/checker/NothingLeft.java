package dev.standpipe.checker;

import java.util.function.Consumer;

/** I8: after faults stop, the backlog drains: nothing stuck, nothing leaked. */
final class NothingLeft implements Rule {
  @Override
  public String invariant() {
    return "I8";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    evidence.ledger().tasks().forEach(task -> violation.accept("stuck: " + task));
    evidence.ledger().arrivals().stream()
        .filter(arrival -> arrival.remaining() != 0)
        .filter(arrival -> cameToItsEnd(evidence, arrival))
        .forEach(arrival -> violation.accept("nobody comes any more: " + arrival));
  }

  private static boolean cameToItsEnd(Evidence evidence, Ledger.ArrivalRow arrival) {
    Ledger.RunRow run = evidence.run(arrival.run());
    return run == null || run.cameToItsEnd();
  }
}

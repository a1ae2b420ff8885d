package dev.standpipe.cli.demo;

import static java.util.stream.Collectors.groupingBy;

import dev.standpipe.cli.demo.DemoTables.Committed;
import dev.standpipe.cli.demo.DemoTables.Evidence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what the database and the ledger hold with what the orders ask for. Trusts nobody: the
 * primary key that rules out a second result is checked like everything else.
 */
final class Audit {
  private final List<Order> orders;
  private final Effects effects;
  private final Map<StepId, List<Committed>> results;
  private final List<String> problems = new ArrayList<>();

  private Audit(List<Order> orders, List<Committed> committed, Effects effects) {
    this.orders = orders;
    this.effects = effects;
    this.results = committed.stream().collect(groupingBy(Committed::step));
  }

  /** Counts and checks everything. */
  static Findings of(List<Order> orders, Evidence evidence, List<Ledger.Entry> ledger) {
    Audit audit = new Audit(orders, evidence.results(), new Effects(ledger));
    int succeeded = evidence.runs().getOrDefault("succeeded", 0);
    audit.note(orders.size() - succeeded, "runs did not succeed");
    audit.note(evidence.liveTasks(), "steps are left unfinished");
    audit.checkSteps();
    audit.checkEffects();
    return new Findings(
        orders.size(),
        succeeded,
        evidence.results().size(),
        evidence.crashedAttempts(),
        audit.receipts(false),
        audit.receipts(true),
        audit.effects.repeated(),
        List.copyOf(audit.problems));
  }

  private void checkSteps() {
    Set<StepId> expected = StepId.expected(orders);
    note(without(expected, results.keySet()), "steps have no result");
    note(without(results.keySet(), expected), "steps have a result that nothing asks for");
    note(
        results.values().stream().filter(list -> list.size() > 1).count(),
        "steps have more than one result");
  }

  private void checkEffects() {
    note(
        results.values().stream()
            .flatMap(List::stream)
            .filter(result -> result.step().hasEffect())
            .filter(result -> !effects.happened(result.step(), result.token()))
            .count(),
        "results have a token whose body did nothing");
    note(effects.underOneToken(), "steps had two bodies with the same token");
    note(effects.unrecognisable(), "steps got another idempotency key when repeated");
  }

  /** How many orders have one receipt, or else several that the outside world takes as such. */
  private int receipts(boolean several) {
    return (int)
        results.entrySet().stream()
            .filter(result -> result.getKey().isReceipt())
            .filter(
                result ->
                    several
                        == (result.getValue().size() > 1
                            || effects.isUnrecognisable(result.getKey())))
            .count();
  }

  private void note(long count, String problem) {
    if (count != 0) {
      problems.add(count + " " + problem);
    }
  }

  private static int without(Set<StepId> all, Set<StepId> some) {
    Set<StepId> rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest.size();
  }
}

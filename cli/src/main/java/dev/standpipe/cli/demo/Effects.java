package dev.standpipe.cli.demo;

import static java.util.stream.Collectors.groupingBy;

import java.util.List;
import java.util.Map;

/** What the bodies did to the outside world, by step. */
final class Effects {
  private final Map<StepId, List<Ledger.Entry>> byStep;

  Effects(List<Ledger.Entry> ledger) {
    this.byStep = ledger.stream().collect(groupingBy(Ledger.Entry::step));
  }

  /** How many steps have had their effect more than once: at least once is what is promised. */
  int repeated() {
    return (int) byStep.values().stream().filter(entries -> entries.size() > 1).count();
  }

  /** Whether the body that was given this token has had its effect. */
  boolean happened(StepId step, long token) {
    return byStep.getOrDefault(step, List.of()).stream().anyMatch(e -> e.token() == token);
  }

  /** Whether the outside world could not tell that this step was repeated. */
  boolean isUnrecognisable(StepId step) {
    return distinctKeys(byStep.getOrDefault(step, List.of())) > 1;
  }

  /** How many steps were given another idempotency key when they were repeated. */
  int unrecognisable() {
    return (int) byStep.keySet().stream().filter(this::isUnrecognisable).count();
  }

  /** How many steps had two bodies with the same token. */
  int underOneToken() {
    return (int)
        byStep.values().stream()
            .filter(
                entries ->
                    entries.stream().map(Ledger.Entry::token).distinct().count() < entries.size())
            .count();
  }

  private static long distinctKeys(List<Ledger.Entry> entries) {
    return entries.stream().map(Ledger.Entry::key).distinct().count();
  }
}

package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.AttemptRow;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import java.util.List;
import java.util.function.Consumer;

/** I3: an accepted write carried the newest token of its task. */
final class NewestToken implements Rule {
  @Override
  public String invariant() {
    return "I3";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    evidence
        .bySteps()
        .forEach(
            (step, entries) -> {
              ResultRow result = evidence.result(step);
              if (result != null) {
                entries.forEach(entry -> judge(entry, result, violation));
              }
            });
    evidence.results().values().forEach(result -> judge(evidence, result, violation));
    evidence.entries(What.FAILED).stream()
        .filter(entry -> !isRecorded(evidence, entry))
        .forEach(entry -> violation.accept("a failed try was accepted and is not there: " + entry));
  }

  private static void judge(Entry entry, ResultRow result, Consumer<String> violation) {
    String and = ", and the result has token " + result.token();
    if (entry.token() > result.token()) {
      violation.accept("newer than what was accepted: " + entry + and);
    } else if (entry.what() == What.ACCEPTED && entry.token() != result.token()) {
      violation.accept("accepted with another token: " + entry + and);
    } else if (entry.what() == What.STALE && entry.token() == result.token()) {
      violation.accept("refused, and yet it is the result: " + entry + and);
    }
  }

  /**
   * Only where bodies say when they begin can a result be missed that none of them made. What is
   * lost was made by none, though one may have run and failed before.
   */
  private static void judge(Evidence evidence, ResultRow result, Consumer<String> violation) {
    List<Entry> entries = evidence.bySteps().getOrDefault(result.step(), List.of());
    boolean bodiesTell =
        result.outcome() != Outcome.LOST
            && entries.stream().anyMatch(entry -> entry.what() == What.STARTED);
    if (bodiesTell && !hasBegun(evidence, entries, result)) {
      violation.accept("no body ran with the token of the result: " + result);
    }
    boolean failed = result.outcome() == Outcome.FAILED;
    for (AttemptRow attempt : evidence.attempts(result.step())) {
      boolean own = failed && attempt.token() == result.token();
      if (!own && attempt.token() >= result.token()) {
        violation.accept("a try came after the result: " + attempt + ", and " + result);
      }
    }
  }

  /** A body goes on with a newer token after each chunk of elements that it has yielded. */
  private static boolean hasBegun(Evidence evidence, List<Entry> entries, ResultRow result) {
    long token = result.token();
    while (evidence.hasYielded(result.step(), token - 1) && !isBegun(entries, token)) {
      token--;
    }
    return isBegun(entries, token);
  }

  private static boolean isBegun(List<Entry> entries, long token) {
    return entries.stream().anyMatch(e -> e.what() == What.STARTED && e.token() == token);
  }

  private static boolean isRecorded(Evidence evidence, Entry entry) {
    return evidence.isTrimmed(entry.step(), entry.token())
        || evidence.attempts(entry.step()).stream()
            .anyMatch(attempt -> attempt.token() == entry.token());
  }
}

package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.AttemptRow;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * I7: crashes never consume retries: tries are numbered from one, each failure or time-out raises
 * the number by one, a crash, a snooze or a cancel leaves it alone, and a revive begins anew, as
 * does each turn of a loop. How many a step may have, its code knows and no table does.
 */
final class RetryBudget implements Rule {
  @Override
  public String invariant() {
    return "I7";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    Set<Step> steps = new HashSet<>(evidence.results().keySet());
    evidence.attempted().forEach(steps::add);
    steps.forEach(step -> judge(evidence, step, violation));
  }

  private static void judge(Evidence evidence, Step step, Consumer<String> violation) {
    List<AttemptRow> attempts =
        evidence.attempts(step).stream()
            .sorted(Comparator.comparingLong(AttemptRow::token))
            .toList();
    int number = 1;
    int turns = 0;
    int revived = evidence.revived(step.run());
    for (AttemptRow attempt : attempts) {
      int before = turnsBefore(evidence, step, attempt.token());
      number = before > turns ? 1 : number;
      turns = before;
      if (attempt.attempt() == 1 && number > 1 && revived > 0) {
        revived--;
        number = 1;
      }
      if (attempt.attempt() != number) {
        violation.accept("this should be try number " + number + ": " + attempt);
        return;
      }
      number += attempt.isForgiven() ? 0 : 1;
    }
    ResultRow result = evidence.result(step);
    if (result != null && turnsBefore(evidence, step, result.token()) > turns) {
      number = 1;
    }
    if (result != null
        && (result.outcome() == Outcome.SKIPPED || result.outcome() == Outcome.LOST)) {
      requireUntried(result, violation);
      return;
    }
    if (result != null && result.attempt() == 0 && attempts.isEmpty() && isFork(evidence, step)) {
      return; // taken over, never tried
    }
    if (result != null && result.attempt() == 1 && revived > 0) {
      return;
    }
    if (result != null && result.attempt() != number - (failed(result) ? 1 : 0)) {
      violation.accept(
          "after " + (number - 1) + " failures, the result has another number: " + result);
    }
  }

  /** How many turns of a loop had ended when a try began: each of them begins anew. */
  private static int turnsBefore(Evidence evidence, Step step, long token) {
    return (int) evidence.turns(step).stream().filter(turn -> turn.token() < token).count();
  }

  private static void requireUntried(ResultRow result, Consumer<String> violation) {
    if (result.attempt() != 0) {
      violation.accept("what did not run has no number: " + result);
    }
  }

  private static boolean isFork(Evidence evidence, Step step) {
    return evidence.ledger().forked().contains(step.run());
  }

  private static boolean failed(ResultRow result) {
    return result.outcome() == Outcome.FAILED;
  }
}

package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.TaskRow;
import dev.standpipe.checker.Ledger.TurnRow;
import java.util.List;
import java.util.function.Consumer;

/**
 * I2 of loops: each turn was committed once, after the one before it and with a newer token, by a
 * body that ran with that token; what comes after the turns that are there has a newer one still.
 */
final class ConsecutiveTurns implements Rule {
  @Override
  public String invariant() {
    return "I2";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    evidence
        .turns()
        .forEach(
            (step, turns) -> {
              judge(turns, violation);
              judge(evidence, step, turns, violation);
              judgeEnd(evidence, step, turns.get(turns.size() - 1), violation);
            });
  }

  private static void judge(List<TurnRow> turns, Consumer<String> violation) {
    for (int i = 1; i < turns.size(); i++) {
      TurnRow before = turns.get(i - 1);
      TurnRow turn = turns.get(i);
      if (turn.turn() != before.turn() + 1) {
        violation.accept("a turn is missing between " + before + " and " + turn);
      }
      if (turn.token() <= before.token()) {
        violation.accept("a turn has no newer token than the one before: " + turn);
      }
    }
  }

  private static void judge(
      Evidence evidence, Step step, List<TurnRow> turns, Consumer<String> violation) {
    List<Entry> entries = evidence.bySteps().getOrDefault(step, List.of());
    boolean bodiesTell = entries.stream().anyMatch(entry -> entry.what() == What.STARTED);
    for (TurnRow turn : turns) {
      if (bodiesTell && !isSaid(entries, What.STARTED, turn)) {
        violation.accept("no body ran with the token of " + turn);
      }
      if (isSaid(entries, What.STALE, turn)) {
        violation.accept("refused, and yet it is a turn: " + turn);
      }
    }
  }

  private static boolean isSaid(List<Entry> entries, What what, TurnRow turn) {
    return entries.stream().anyMatch(e -> e.what() == what && e.token() == turn.token());
  }

  private static void judgeEnd(
      Evidence evidence, Step step, TurnRow last, Consumer<String> violation) {
    ResultRow result = evidence.result(step);
    if (result != null && result.outcome() != Outcome.LOST && result.token() <= last.token()) {
      violation.accept("the result is not newer than " + last + ": " + result);
    }
    for (TaskRow task : evidence.ledger().tasks()) {
      if (task.step().equals(step) && task.token() <= last.token()) {
        violation.accept("the task is not newer than " + last + ": " + task);
      }
    }
  }
}

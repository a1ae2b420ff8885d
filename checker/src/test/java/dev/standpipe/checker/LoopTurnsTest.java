package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Ledger.AttemptRow;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.RunRow;
import dev.standpipe.checker.Ledger.TurnRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A loop of six turns, of which the last two but one are kept, and each way to spoil it. */
class LoopTurnsTest {
  private static final UUID RUN = new UUID(7, 7);
  private static final Step LOOP = new Step(RUN, "poll", 0);
  private static final String GRAPH =
      """
      {"pipeline": "p", "output": "poll", "nodes": [
        {"key": "$input", "kind": "input", "inputs": []},
        {"key": "poll", "kind": "loop", "inputs": ["$input"]}]}
      """;

  private final List<TurnRow> turns = new ArrayList<>();
  private final List<AttemptRow> attempts = new ArrayList<>();
  private final List<Entry> history = new ArrayList<>();
  private ResultRow result = new ResultRow(LOOP, 9, 1, Outcome.SUCCEEDED, null, null);

  @BeforeEach
  void oneLoopIsDone() {
    turns.add(new TurnRow(LOOP, 4, 6, 1));
    turns.add(new TurnRow(LOOP, 5, 8, 2));
    attempts.add(new AttemptRow(LOOP, 7, 1, "failed"));
    for (int token = 1; token <= 9; token++) {
      say(What.STARTED, token);
      say(What.ENDED, token);
    }
    say(What.FAILED, 2); // in a turn that is gone, and its row with it
    say(What.FAILED, 7);
    say(What.ACCEPTED, 9);
  }

  @Test
  void aLoopWithoutFaultHolds() {
    assertThat(violations()).isEmpty();
  }

  @Test
  void seesAMissingTurn() {
    turns.set(0, new TurnRow(LOOP, 3, 6, 1));
    assertThat(violations()).singleElement().asString().contains("a turn is missing between");
  }

  @Test
  void seesATurnWithAnOldToken() {
    turns.set(1, new TurnRow(LOOP, 5, 6, 1));
    assertThat(violations()).anyMatch(v -> v.contains("no newer token than the one before"));
  }

  @Test
  void seesATurnThatNoBodyRan() {
    history.removeIf(entry -> entry.token() == 8);
    assertThat(violations()).singleElement().asString().contains("no body ran with the token of");
  }

  @Test
  void seesATurnThatWasRefused() {
    say(What.STALE, 8);
    assertThat(violations()).singleElement().asString().contains("refused, and yet it is a turn");
  }

  @Test
  void seesAResultThatIsNoNewerThanTheLastTurn() {
    turns.add(new TurnRow(LOOP, 6, 9, 1));
    assertThat(violations()).anyMatch(v -> v.contains("the result is not newer than"));
  }

  @Test
  void seesAFailureThatATurnHasNotForgotten() {
    result = new ResultRow(LOOP, 9, 2, Outcome.SUCCEEDED, null, null);
    assertThat(violations()).anyMatch(v -> v.contains("the result has another number"));
  }

  @Test
  void seesALostFailureOfATurnThatIsThere() {
    attempts.clear();
    assertThat(violations())
        .anyMatch(v -> v.contains("a failed try was accepted and is not there"));
  }

  private void say(What what, long token) {
    history.add(new Entry(what, history.size(), "p1", LOOP, 1, token));
  }

  private List<String> violations() {
    Ledger ledger =
        new Ledger(
            Map.of(1, Graph.parse(GRAPH)),
            List.of(new RunRow(RUN, 1, "succeeded", false)),
            List.of(result),
            attempts,
            List.of(),
            List.of(),
            Set.of(),
            List.of(),
            new Links(List.of(), List.of(), List.of(), Map.of(), List.of(), List.of()),
            turns);
    return Checker.check(new Evidence(ledger, history)).violations().stream()
        .map(Violation::toString)
        .toList();
  }
}

package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.AttemptRow;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.RunRow;
import dev.standpipe.checker.Ledger.TurnRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables and the histories, laid out for the rules. */
final class Evidence {
  private final Ledger ledger;
  private final List<Entry> entries;
  private final Map<UUID, RunRow> runs = new HashMap<>();
  private final Map<Step, ResultRow> results = new HashMap<>();
  private final Map<Step, ResultRow> elements = new HashMap<>();
  private final Map<Step, Set<Long>> yields = new HashMap<>();
  private final Map<Step, List<AttemptRow>> attempts = new HashMap<>();
  private final Map<Step, List<TurnRow>> turns = new HashMap<>();
  private final Map<Step, List<Entry>> bySteps = new LinkedHashMap<>();

  Evidence(Ledger ledger, List<Entry> entries) {
    this.ledger = ledger;
    this.entries = List.copyOf(entries);
    ledger.runs().forEach(run -> runs.put(run.id(), run));
    ledger
        .results()
        .forEach(
            result ->
                (result.outcome() == Outcome.ELEMENT ? elements : results)
                    .put(result.step(), result));
    elements.values().forEach(element -> yields(element.step()).add(element.token()));
    ledger.attempts().forEach(a -> listed(attempts, a.step()).add(a));
    ledger.turns().stream()
        .sorted(Comparator.comparingInt(TurnRow::turn))
        .forEach(turn -> listed(turns, turn.step()).add(turn));
    entries.stream()
        .filter(entry -> !entry.step().node().equals(Step.NONE))
        .forEach(entry -> listed(bySteps, entry.step()).add(entry));
  }

  private static <T> List<T> listed(Map<Step, List<T>> map, Step step) {
    return map.computeIfAbsent(step, key -> new ArrayList<>());
  }

  Ledger ledger() {
    return ledger;
  }

  /** Every line, each history's in its order. */
  List<Entry> entries() {
    return entries;
  }

  /** The lines of each step. */
  Map<Step, List<Entry>> bySteps() {
    return bySteps;
  }

  /** Lines of this kind. */
  List<Entry> entries(What what) {
    return entries.stream().filter(entry -> entry.what() == what).toList();
  }

  @Nullable RunRow run(UUID id) {
    return runs.get(id);
  }

  /** How often a run was brought back. */
  int revived(UUID run) {
    return Collections.frequency(ledger.revived(), run);
  }

  /** How often a run has ended once more, because it was brought back or its compensation was. */
  int broughtBack(UUID run) {
    return revived(run)
        + ledger.links().dispatched().stream()
            .filter(one -> one.original().equals(run) && one.kind().equals("compensate"))
            .mapToInt(one -> revived(one.run()))
            .sum();
  }

  /** The outcome of each finished step; elements of expands are not steps. */
  Map<Step, ResultRow> results() {
    return results;
  }

  @Nullable ResultRow result(Step step) {
    return results.get(step);
  }

  /** An element of an expand, by the expand's key and its own index. */
  @Nullable ResultRow element(Step step) {
    return elements.get(step);
  }

  private Set<Long> yields(Step step) {
    return yields.computeIfAbsent(new Step(step.run(), step.node(), 0), key -> new HashSet<>());
  }

  /** Whether an expand has yielded elements with this token. */
  boolean hasYielded(Step expand, long token) {
    return yields(expand).contains(token);
  }

  /** The tries at a step that did not succeed. */
  List<AttemptRow> attempts(Step step) {
    return attempts.getOrDefault(step, List.of());
  }

  /** The turns of each loop that are still there, in their order. */
  Map<Step, List<TurnRow>> turns() {
    return turns;
  }

  /** The turns of a loop that are still there, in their order. */
  List<TurnRow> turns(Step step) {
    return turns.getOrDefault(step, List.of());
  }

  /** Whether a try was of a turn that is gone, and its row in the ledger with it. */
  boolean isTrimmed(Step step, long token) {
    List<TurnRow> left = turns(step);
    return !left.isEmpty() && left.get(0).turn() > 1 && token < left.get(0).token();
  }

  /** The steps that have such tries. */
  Iterable<Step> attempted() {
    return attempts.keySet();
  }

  /** The graph of a run. */
  @Nullable Graph graph(UUID run) {
    RunRow row = runs.get(run);
    return row == null ? null : ledger.graphs().get(row.lane());
  }

  /** The indexes of the elements that an expand of a run made; none if it has not ended. */
  List<Integer> elements(UUID run, Graph.Node expand, int index) {
    ResultRow result = results.get(new Step(run, expand.key(), index));
    Integer count = result == null ? null : result.elements();
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; count != null && i < count; i++) {
      indexes.add(index * expand.width() + i);
    }
    return indexes;
  }

  String summary() {
    return runs.size()
        + " runs, "
        + results.size()
        + " results, "
        + ledger.attempts().size()
        + " tries that did not succeed, "
        + entries.size()
        + " lines of history";
  }
}

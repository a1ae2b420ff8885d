package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.AttemptRow;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * I4: two bodies of one step overlap only after a lease ran out or a cancel cut one off, and that
 * is counted: the older try is in the ledger as crashed, timed out or canceled, or was given back.
 */
final class CountedOverlap implements Rule {
  @Override
  public String invariant() {
    return "I4";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    evidence.bySteps().forEach((step, entries) -> judge(evidence, step, entries, violation));
  }

  private static void judge(
      Evidence evidence, Step step, List<Entry> entries, Consumer<String> violation) {
    List<Entry> starts =
        entries.stream()
            .filter(entry -> entry.what() == What.STARTED)
            .sorted(Comparator.comparingLong(Entry::token))
            .toList();
    Map<Long, Long> ends = new HashMap<>();
    entries.stream()
        .filter(entry -> entry.what() == What.ENDED)
        .forEach(entry -> ends.put(entry.token(), entry.at()));
    for (int i = 1; i < starts.size(); i++) {
      Entry older = starts.get(i - 1);
      Entry newer = starts.get(i);
      if (older.token() == newer.token()) {
        violation.accept("two bodies ran with one token: " + older + ", and " + newer);
      } else if (ends.getOrDefault(older.token(), Long.MAX_VALUE) > newer.at()
          && !isCounted(evidence, step, older, entries)) {
        violation.accept("two bodies overlapped, uncounted: " + older + ", and " + newer);
      }
    }
  }

  private static boolean isCounted(Evidence evidence, Step step, Entry older, List<Entry> entries) {
    return evidence.isTrimmed(step, older.token())
        || evidence.attempts(step).stream()
            .filter(attempt -> attempt.token() == older.token())
            .anyMatch(AttemptRow::isCutShort)
        || entries.stream().anyMatch(e -> e.what() == What.RELEASED && e.token() == older.token());
  }
}

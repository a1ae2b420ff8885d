package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.StoredCode;
import java.util.List;

/** The rows of {@code result} that settlements write. */
final class ResultRows {
  private static final short SUCCEEDED = StoredCode.SUCCEEDED.number();
  private static final short FAILED = StoredCode.FAILED.number();
  private static final short ELEMENT = StoredCode.ELEMENT.number();
  private static final short SKIPPED = StoredCode.SKIPPED.number();

  /** The attempt of a step that does not run: what is lost has failed without a try. */
  private static final int UNTRIED = 0;

  private final Rows rows =
      new Rows(
          "run uuid",
          "node text",
          "idx integer",
          "outcome smallint",
          "attempt integer",
          "token bigint",
          "elapsed_us bigint",
          "value text");

  private ResultRows() {}

  /** All of them. */
  static Rows all(List<Settlement> settlements) {
    ResultRows results = new ResultRows();
    for (Settlement s : settlements) {
      s.changes().results().forEach(value -> results.addValue(s, value));
      s.changes().skips().forEach(skip -> results.addSkip(s, skip));
      results.addFailure(s);
    }
    return results.rows;
  }

  /** Those besides a step's own, but for the elements of wide expands. */
  static Rows besides(List<Settlement> settlements) {
    ResultRows results = new ResultRows();
    for (Settlement s : settlements) {
      if (s.verdict() instanceof Settlement.Advancing ok) {
        if (!WideExpand.is(s)) {
          ok.changes().results().stream()
              .skip(SettlementRows.own(ok) == null ? 0 : 1)
              .forEach(value -> results.addValue(s, value));
        }
        results.addFailure(s);
        ok.changes().skips().forEach(skip -> results.addSkip(s, skip));
      }
    }
    return results.rows;
  }

  private void addValue(Settlement s, Settlement.Value value) {
    rows.add(
        s.run(),
        value.node(),
        value.index(),
        value.element() ? ELEMENT : SUCCEEDED,
        s.attempt(),
        s.token(),
        s.elapsedMicros(),
        value.value());
  }

  private void addFailure(Settlement s) {
    if (s.verdict().failure() != null) {
      rows.add(
          s.run(),
          s.node(),
          SettlementRows.failedIndex(s),
          FAILED,
          s.attempt(),
          s.token(),
          s.elapsedMicros(),
          null);
    }
  }

  private void addSkip(Settlement s, Settlement.SkippedStep skip) {
    short outcome = skip.lost() ? FAILED : SKIPPED;
    rows.add(s.run(), skip.node(), skip.index(), outcome, UNTRIED, s.token(), 0L, null);
  }
}

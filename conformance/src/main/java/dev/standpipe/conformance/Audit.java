package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Checker;
import dev.standpipe.checker.Verdict;
import dev.standpipe.conformance.History.Entry;
import dev.standpipe.conformance.History.What;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Compares what processes say they did with what the database says, once all is quiet: the
 * invariants as far as they can be seen from outside.
 */
public final class Audit {
  private final DataSource source;
  private final List<Entry> history;

  /** Of this database and the histories of all processes that worked on it. */
  public Audit(DataSource source, List<Entry> history) {
    this.source = source;
    this.history = history;
  }

  /** Checks that so many runs have succeeded with so many steps each, and that nothing is left. */
  public void assertAllSucceeded(int runs, int steps) {
    assertThat(query("select status, count(*) from standpipe_run group by status"))
        .containsExactly("succeeded|" + runs);
    assertThat(query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(
            query(
                "select min(n), max(n), count(*) from (select count(*) as n from standpipe_result where outcome = 1 and node <> '$input' group by run_id) x"))
        .containsExactly(steps + "|" + steps + "|" + runs);
  }

  /** Checks that crashes have used up no attempt. */
  public void assertNoAttemptWasUsedUp() {
    assertThat(query("select distinct attempt from standpipe_result where node <> '$input'"))
        .containsExactly("1");
    assertThat(query("select distinct attempt, outcome from standpipe_attempt"))
        .isSubsetOf("1|crashed");
  }

  /** Checks every invariant, by the judge that knows nothing of the engine. */
  public void assertHistoriesAgree() {
    Verdict verdict = verdict();
    assertThat(verdict.violations()).as(verdict.toString()).isEmpty();
  }

  /** What the checker says. */
  public Verdict verdict() {
    try (Connection connection = source.getConnection()) {
      return Checker.check(
          connection, "standpipe_", history.stream().map(Entry::evidence).toList());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How often something happened. */
  public long count(What what) {
    return history.stream().filter(entry -> entry.what() == what).count();
  }

  private List<String> query(String sql) {
    return EngineFixture.query(source, sql);
  }
}

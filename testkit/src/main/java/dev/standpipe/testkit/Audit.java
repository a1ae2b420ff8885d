package dev.standpipe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.testkit.History.Entry;
import dev.standpipe.testkit.History.Step;
import dev.standpipe.testkit.History.What;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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

  /** Checks every line of every history against the results. */
  public void assertHistoriesAgree() {
    Map<Step, Long> results = results();
    Set<String> started = new HashSet<>();
    Set<Step> accepted = new HashSet<>();
    for (Entry entry : history) {
      Long token = results.get(entry.step());
      assertThat(token).as("the result of %s", entry).isNotNull();
      switch (entry.what()) {
        case STARTED ->
            assertThat(started.add(entry.step() + "/" + entry.token()))
                .as("no two bodies run with one token: %s", entry)
                .isTrue();
        case ACCEPTED -> {
          assertThat(accepted.add(entry.step())).as("accepted once: %s", entry).isTrue();
          assertThat(entry.token()).as("the token of %s", entry).isEqualTo(token);
        }
        case STALE ->
            assertThat(entry.token()).as("older than the result: %s", entry).isLessThan(token);
        case ENDED, INTERRUPTED, RELEASED ->
            assertThat(entry.token()).as("the token of %s", entry).isLessThanOrEqualTo(token);
      }
    }
    results.forEach(
        (step, token) -> assertThat(started).as("a body made it").contains(step + "/" + token));
  }

  /** How often something happened. */
  public long count(What what) {
    return history.stream().filter(entry -> entry.what() == what).count();
  }

  private Map<Step, Long> results() {
    Map<Step, Long> results = new HashMap<>();
    for (String row :
        query("select run_id, node, idx, token from standpipe_step where state = 'succeeded'")) {
      String[] column = row.split("\\|", -1);
      Step step = new Step(UUID.fromString(column[0]), column[1], Integer.parseInt(column[2]));
      results.put(step, Long.parseLong(column[3]));
    }
    return results;
  }

  private List<String> query(String sql) {
    return EngineFixture.query(source, sql);
  }
}

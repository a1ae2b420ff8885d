package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Holds every rule against the evidence. Stateless. */
public final class Checker {
  private static final List<Rule> RULES =
      List.of(
          new EveryRunEnds(),
          new OneResult(),
          new ConsecutiveTurns(),
          new NewestToken(),
          new CountedOverlap(),
          new AfterItsDependencies(),
          new RetryBudget(),
          new NothingLeft(),
          new EndedOnce(),
          new FollowedOnce(),
          new HeardOnce());

  private Checker() {}

  /**
   * Reads the tables and judges them, together with the histories of all who worked on them.
   *
   * @param prefix what the tables' names start with, their schema included
   */
  public static Verdict check(Connection connection, String prefix, List<Entry> histories)
      throws SQLException {
    Verdict verdict = check(new Evidence(Ledger.read(connection, prefix), histories));
    List<Violation> violations = new ArrayList<>(verdict.violations());
    violations.addAll(statuses(connection, prefix));
    violations.addAll(FiredOnce.violations(Tables.of(connection, prefix)));
    violations.addAll(KeptWrites.violations(Tables.of(connection, prefix)));
    return new Verdict(verdict.summary(), violations);
  }

  /**
   * Holds the status of each run against its other rows: the one thing that can be judged at any
   * moment, while runs go on.
   *
   * @param prefix what the tables' names start with, their schema included
   */
  public static List<Violation> statuses(Connection connection, String prefix) throws SQLException {
    return StoredStatus.violations(Tables.of(connection, prefix));
  }

  static Verdict check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Rule rule : RULES) {
      rule.judge(evidence, what -> violations.add(new Violation(rule.invariant(), what)));
    }
    return new Verdict(evidence.summary(), violations);
  }
}

package dev.standpipe.checker;

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
    return check(new Evidence(Ledger.read(connection, prefix), histories));
  }

  static Verdict check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Rule rule : RULES) {
      rule.judge(evidence, what -> violations.add(new Violation(rule.invariant(), what)));
    }
    return new Verdict(evidence.summary(), violations);
  }
}

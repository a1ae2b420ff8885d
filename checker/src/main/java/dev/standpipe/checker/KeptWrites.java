package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Tables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * I3: what a try has written before it ended was written by the last try of its step or an earlier
 * one, and never by one that came after the step's result.
 */
final class KeptWrites {
  private static final List<String> TABLES = List.of("substep", "checkpoint", "progress");

  private KeptWrites() {}

  static List<Violation> violations(Tables tables) throws SQLException {
    List<Violation> violations = new ArrayList<>();
    for (String table : TABLES) {
      violations.addAll(
          tables.list(
              "select s.run_id, s.node, s.idx, s.token, r.token as last from "
                  + table
                  + " s join result r on r.run_id = s.run_id and r.node = s.node"
                  + " and r.idx in (s.idx, -1 - s.idx)"
                  + " where r.outcome = 1 and r.attempt > 0 and s.token > r.token",
              row ->
                  new Violation(
                      "I3",
                      "the %s of %s/%d of run %s has token %d, and the result has token %d"
                          .formatted(
                              table,
                              row.getString("node"),
                              row.getInt("idx"),
                              row.getString("run_id"),
                              row.getLong("token"),
                              row.getLong("last")))));
    }
    return violations;
  }
}

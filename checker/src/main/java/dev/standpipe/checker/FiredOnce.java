package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Tables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * I10: an instant of a schedule and the run that was started for it belong to each other alone. The
 * labels that the scheduler gives a run say which instant it is of; a rerun has those of its
 * original.
 */
final class FiredOnce {
  private static final String INVARIANT = "I10";

  private static final String WITHOUT_ITS_RUN =
      "select schedule as subject from firing f where outcome = 'started'"
          + " and not exists (select 1 from run r where r.id = f.started_run_id)";

  private static final String OF_SEVERAL =
      "select cast(started_run_id as text) as subject from firing where started_run_id is not null"
          + " group by started_run_id having count(*) > 1";

  private static final String OF_NONE =
      "select cast(r.id as text) as subject from run r"
          + " where r.labels like '%\"fire_at\"%' and r.labels like '%\"schedule\"%'"
          + " and not exists (select 1 from rerun where run_id = r.id)"
          + " and not exists (select 1 from firing f where f.started_run_id = r.id)";

  private FiredOnce() {}

  static List<Violation> violations(Tables tables) throws SQLException {
    List<Violation> violations = new ArrayList<>();
    violations.addAll(
        violations(tables, WITHOUT_ITS_RUN, "the schedule %s has fired, and the run is not there"));
    violations.addAll(violations(tables, OF_SEVERAL, "the run %s is of several instants"));
    violations.addAll(
        violations(tables, OF_NONE, "the run %s is of an instant that has another, or none"));
    return violations;
  }

  private static List<Violation> violations(Tables tables, String sql, String what)
      throws SQLException {
    return tables.list(
        sql, row -> new Violation(INVARIANT, what.formatted(row.getString("subject"))));
  }
}

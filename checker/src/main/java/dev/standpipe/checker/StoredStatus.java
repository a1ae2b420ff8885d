package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Tables;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * I2: what the status of a run says is what its other rows say. It is written by the statement that
 * changes what is so, so this holds after every transaction, not only at the end; whoever forgets
 * to write it is found here.
 */
final class StoredStatus {
  private static final String INVARIANT = "I2";

  private static final String COMPENSATION_HAS =
      "exists (select 1 from dispatched d where d.original_run_id = r.id and d.kind = 'compensate'"
          + " and not exists (select 1 from ended where run_id = d.run_id)"
          + " and d.run_id in (select id from run where %s))";

  /** What is wrong with the runs r of which this is true. */
  private static final Map<String, String> WRONG = new LinkedHashMap<>();

  static {
    WRONG.put(
        "has another end, or another reason",
        "(r.status in ('running', 'waiting', 'paused', 'halting', 'finishing', 'canceling'))"
            + " <> (r.finished_at is null)"
            + " or (r.status in ('running', 'waiting', 'paused', 'succeeded')) <> (r.halt_reason is null)"
            + " or not case r.halt_reason when 'finished' then r.status = 'finishing'"
            + " when 'skipped' then r.status = 'skipped' when 'failed' then r.status = 'failed'"
            + " when 'canceled' then r.status in ('canceling', 'canceled', 'compensating', 'compensated', 'compensation_failed')"
            + " else r.status not in ('finishing', 'skipped', 'failed', 'canceling', 'canceled') end");
    WRONG.put(
        "waits for no other run",
        "r.status = 'waiting' and not exists (select 1 from chained where run_id = r.id)");
    WRONG.put(
        "still has to wait for others",
        "r.status not in ('waiting', 'paused', 'halting', 'canceling')"
            + " and exists (select 1 from chained where run_id = r.id)");
    WRONG.put(
        "was paused last, and is not, or the other way round",
        "r.status in ('running', 'waiting', 'paused')"
            + " and (r.status = 'paused') <> (coalesce((select action from audit"
            + " where run_id = r.id and action in ('pause', 'resume', 'release', 'revive')"
            + " order by id desc limit 1), 'none') = 'pause')");
    WRONG.put(
        "has no failed step, and no deadline that has passed",
        "r.status = 'halting' and not exists (select 1 from task where run_id = r.id and state = 4)"
            + " and not exists (select 1 from canceling where run_id = r.id)");
    WRONG.put(
        "is not being ended",
        "r.status in ('canceling', 'finishing')"
            + " and not exists (select 1 from canceling where run_id = r.id)");
    WRONG.put(
        "was ended by no step",
        "r.status = 'finishing' and not exists (select 1 from finish where run_id = r.id)");
    WRONG.put(
        "has tolerated no failure",
        "r.status = 'failed' and not exists (select 1 from tolerated where run_id = r.id)");
    WRONG.put(
        "has never waited for another run",
        "r.status = 'skipped' and not exists (select 1 from chain where downstream_run_id = r.id)");
    WRONG.put("is to be compensated", "r.status in ('halted', 'canceled') and r.followed = 2");
    WRONG.put(
        "is not to be compensated",
        "r.status in ('compensating', 'compensated', 'compensation_failed') and r.followed <> 2");
    WRONG.put(
        "is compensated by nobody",
        "r.status = 'compensating' and not exists (select 1 from ended where run_id = r.id)"
            + " and not exists (select 1 from dispatched where original_run_id = r.id and kind = 'compensate')");
    WRONG.put(
        "has a compensation that has ended",
        "r.status = 'compensating' and " + COMPENSATION_HAS.formatted("finished_at is not null"));
    WRONG.put(
        "has a compensation that has succeeded, or the other way round",
        "r.status in ('compensated', 'compensation_failed') and (r.status = 'compensated') <> "
            + COMPENSATION_HAS.formatted("status = 'succeeded'"));
  }

  private StoredStatus() {}

  static List<Violation> violations(Tables tables) throws SQLException {
    String all =
        String.join(
            " union all ",
            WRONG.entrySet().stream()
                .map(
                    wrong ->
                        "select r.id, r.status, '%s' as what from run r where %s"
                            .formatted(wrong.getKey(), wrong.getValue()))
                .toList());
    return tables.list(
        all,
        row ->
            new Violation(
                INVARIANT,
                "run %s is %s and %s"
                    .formatted(
                        row.getString("id"), row.getString("status"), row.getString("what"))));
  }
}

package dev.standpipe.internal.store.schema;

import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tables that have rows of single runs: the one list for whatever goes through all that is
 * stored of a run, as the doctor does. The contract of the schema holds it against the database's
 * own catalogue.
 */
public final class RunTables {
  private static final String RUN_ID = "run_id";

  /**
   * Tables whose rows name a run and outlive it: an instant of a schedule stays fired when its run
   * is gone, and an event is published.
   */
  public static final Set<String> OUTLIVING = Set.of("firing", "outbox");

  /** Where runs that are stopped are listed, if they are. */
  private static final String STOPPED = "stopped";

  private RunTables() {}

  /** Each of a dialect's tables, with its columns that name a run. */
  public static Map<String, List<String>> of(Dialect dialect) {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    tables.put("run", List.of("id"));
    for (String table :
        List.of(
            "task",
            "result",
            "arrival",
            "attempt",
            "turn",
            "signal",
            "context",
            "substep",
            "checkpoint",
            "progress",
            "tolerated",
            "quarantine",
            "audit",
            STOPPED,
            "canceling",
            "cut_off",
            "put_off",
            "deadline",
            "finish",
            "pausing",
            "retry_limit",
            "ended")) {
      tables.put(table, List.of(RUN_ID));
    }
    tables.put("rerun", List.of(RUN_ID, "original_run_id"));
    tables.put("called", List.of(RUN_ID, "parent_run_id"));
    tables.put("dispatched", List.of(RUN_ID, "original_run_id"));
    tables.put("chain", List.of("upstream_run_id", "downstream_run_id"));
    tables.put("chained", List.of(RUN_ID, "input_run_id"));
    if (!dialect.has(Capability.STOPPED_LIST)) {
      tables.remove(STOPPED);
    }
    return tables;
  }

  /** Their names, without a prefix. */
  public static List<String> names(Dialect dialect) {
    return new ArrayList<>(of(dialect).keySet());
  }
}

package dev.standpipe.internal.store.sharedrows;

import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.store.jdbc.Rows;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of runs that are started, which say what shares a row. */
public final class StartRows {
  private StartRows() {}

  /** Of runs that are started together, and whose first tasks share rows if they are many. */
  public static Rows of(List<NewRun> runs, List<Entry> entries) {
    return rows(runs, Bundling.of(runs, entries));
  }

  /** Of runs whose first tasks have rows of their own. */
  public static Rows apart(List<NewRun> runs) {
    return rows(runs, Collections.nCopies(runs.size(), null));
  }

  private static Rows rows(List<NewRun> runs, List<@Nullable UUID> bundles) {
    Rows starting =
        new Rows(
            "id uuid",
            "key text",
            "key_hash text",
            "priority smallint",
            "labels text",
            "input text",
            "delay_us bigint",
            "owner uuid",
            "followed smallint",
            "bundle uuid");
    for (int i = 0; i < runs.size(); i++) {
      NewRun run = runs.get(i);
      starting.add(
          run.id(),
          run.key(),
          run.keyHash(),
          (short) run.priority(),
          run.labels(),
          run.input(),
          run.delayMicros(),
          run.owner(),
          (short) run.followed().code(),
          bundles.get(i));
    }
    return starting;
  }
}

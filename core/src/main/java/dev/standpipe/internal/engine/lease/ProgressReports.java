package dev.standpipe.internal.engine.lease;

import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.substep.ProgressNote;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.substep.StoredSubSteps;
import dev.standpipe.internal.substep.StoredSubSteps.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries what bodies have reported since the last heartbeat to the database, in one statement. */
public final class ProgressReports {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressReports.class);

  private final StoredSubSteps store;
  private final InFlight inFlight;

  public ProgressReports(StoredSubSteps store, InFlight inFlight) {
    this.store = store;
    this.inFlight = inFlight;
  }

  /** Writes what is new, if anything is. A failure must not keep a heart from beating. */
  void write(UUID owner) {
    Map<Attempt, ProgressNote> notes = new LinkedHashMap<>();
    for (Attempt attempt : inFlight.attempts()) {
      ProgressNote note = attempt.owner.equals(owner) ? attempt.takeReport() : null;
      if (note != null) {
        notes.put(attempt, note);
      }
    }
    if (notes.isEmpty()) {
      return;
    }
    List<Report> reports = new ArrayList<>();
    notes.forEach(
        (attempt, note) ->
            reports.add(
                new Report(
                    attempt.ref,
                    attempt.vertex.key(),
                    attempt.index,
                    note.done(),
                    note.total(),
                    note.note())));
    try {
      store.report(owner, reports);
    } catch (StoreException e) {
      notes.forEach(Attempt::giveBack);
      LOG.info(
          "event=progress_not_written steps={} : tried again with the next heartbeat",
          notes.size());
    }
  }
}

package dev.standpipe.internal.store.run;

import dev.standpipe.internal.port.Quarantines.FinishedStep;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.Unfinished;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EndedRuns;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Brings a halted run back in place. Nobody else writes the rows of a run that has ended, so the
 * order of locks does not matter here; the transaction that gets the run's row first revives the
 * run. That it is being done must be in the audit by then: its tokens go on above those of the
 * times before.
 */
public final class ReviveRows {
  private ReviveRows() {}

  /** {@code false}, with nothing written, if the run is not halted. */
  public static boolean bringBack(Session session, Resume resume) throws SQLException {
    if (session.query("resume_run").set("run", resume.run()).update() == 0) {
      return false;
    }
    session.query("run_forget_deadline").set("run", resume.run()).update();
    session.query("call_respite").set("run", resume.run()).update();
    session.query("resume_forget_signals").set("run", resume.run()).update();
    session.query("ended_forget").set("run", resume.run()).update();
    session.query("resume_forget_failures").set("run", resume.run()).update();
    session.query("resume_forget_tolerated").set("run", resume.run()).update();
    session.query("resume_forget_arrivals").set("run", resume.run()).update();
    begin(session, resume);
    session.query("resume_forget_put_off").set("run", resume.run()).update();
    return true;
  }

  /** Has a run that is running and has no tasks go on. */
  static void begin(Session session, Resume resume) throws SQLException {
    Rows arrivals = new Rows("node text", "need integer", "remaining integer");
    resume.arrivals().forEach(a -> arrivals.add(a.node(), a.need(), a.remaining()));
    session.query("resume_arrivals").set("run", resume.run()).set("arrivals", arrivals).update();
    Rows tasks = tasks(resume);
    session.query("resume_tasks").set("run", resume.run()).set("tasks", tasks).update();
    if (tasks.isEmpty()) { // canceled between its last step and its end
      Rows run = new Rows("run uuid");
      run.add(resume.run());
      EndedRuns.by(session, session.query("settle_end").set("runs", run));
    }
  }

  /** The steps of a run that have succeeded or were skipped. */
  public static List<FinishedStep> finished(Session session, UUID run) throws SQLException {
    return session
        .query("resume_finished")
        .set("run", run)
        .list(
            row ->
                new FinishedStep(
                    row.getString("node"),
                    row.getInt("idx"),
                    row.getInt("elements"),
                    row.getBoolean("skipped"),
                    row.getString("arm")));
  }

  /** The expands of a run that have yielded elements, and have not ended. */
  public static List<Unfinished> unfinished(Session session, UUID run) throws SQLException {
    return session
        .query("resume_unfinished")
        .set("run", run)
        .list(row -> new Unfinished(row.getString("node"), row.getInt("elements")));
  }

  public static Rows tasks(Resume resume) {
    Rows tasks = new Rows("task bigint", "node text", "idx integer");
    resume.tasks().forEach(task -> tasks.add(task.task(), task.node(), task.index()));
    return tasks;
  }
}

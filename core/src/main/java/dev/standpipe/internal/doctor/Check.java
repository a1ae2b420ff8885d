package dev.standpipe.internal.doctor;

import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import java.util.List;

/**
 * A statement that counts what must not be, and what to say if there is some.
 *
 * @param name its stable name; the statement is called {@code doctor_} and this
 * @param severity how bad it is
 * @param problem what was counted, with the place of the number and of an example
 * @param remedy what to do
 */
record Check(String name, Severity severity, String problem, String remedy) {
  static final String REPORT =
      "No operation of Standpipe leads here: stop manual changes, keep the rows, and report it.";

  /**
   * The checks that count rows, worst first. A database has the checks that it has a statement for.
   */
  static final List<Check> ALL =
      List.of(
          violation(
              "run_without_tasks",
              "%d unfinished runs have no task and will never end (I1, I8), such as %s",
              REPORT),
          violation(
              "terminal_run_with_tasks",
              "%d tasks belong to runs that have ended (I2), such as run %s",
              REPORT),
          violation(
              "task_without_run", "%d tasks belong to no run (I5), such as of run %s", REPORT),
          violation(
              "task_without_definition",
              "%d tasks are of definitions that are not there and will never be taken (I1, I8), such as of run %s",
              "They were lost, as in a failover to a replica that had not got them: cancel these runs"
                  + " and start them again."),
          violation(
              "task_with_result",
              "%d tasks are for steps that have a result (I2, I5), such as %s",
              REPORT),
          violation(
              "token_behind",
              "%d tasks have an older token than one of their attempts (I3), such as %s",
              REPORT),
          violation(
              "fan_in_not_opened",
              "%d fan-ins have all they wait for and were not started (I5), such as %s",
              REPORT),
          violation(
              "signal_not_heard",
              "%d steps wait although what they wait for has come (I8), such as %s",
              REPORT),
          violation(
              "left_parked",
              "%d tasks are parked and will never be taken, though their run is not paused (I8), such as %s",
              REPORT),
          violation(
              "context_without_step",
              "%d context values were set by no step that succeeded (I2), such as %s",
              REPORT),
          violation(
              "crash_used_a_retry",
              "%d tasks have used more attempts than failed (I7), such as %s",
              REPORT),
          warning(
              "schedule_late",
              "%d schedules should have been fired a while ago, and no process fires them, such as %s",
              "Start a process that declares the schedule, or remove it: standpipe schedules remove."),
          warning(
              "outbox_late",
              "%d sinks have events that should have been published a while ago, such as %s",
              "See what it refuses: standpipe outbox list and lag. Start a process that declares the sink, or remove it: standpipe outbox remove."),
          warning(
              "dead_letters",
              "%d events were refused for too often and given up, such as %s",
              "See why: standpipe outbox dead SINK. Then standpipe outbox replay or discard."),
          warning(
              "expired_lease",
              "%d processes died and nobody has recovered their work, such as %s",
              "Start a process with the role all or maintenance: it reaps them at once."),
          warning(
              "orphaned_lease",
              "%d tasks are leased to processes that are gone, such as %s",
              "A process with the role all or maintenance frees them within a sweep; if this stays, none runs."),
          warning(
              "unserved_work",
              "%d tasks wait for a process that serves their definition, such as of %s",
              "Deploy a process that serves this version of the pipeline until its runs have ended."),
          warning(
              "overdue_task",
              "%d delayed or retried tasks are overdue, such as %s",
              "Start a process with the role all or maintenance: it makes them ready when their time has come."),
          warning(
              "overdue_run",
              "%d runs have passed their deadline and were not stopped, such as %s",
              "Start a process with the role all or maintenance: it stops them at once."),
          warning(
              "end_not_followed",
              "%d runs have ended, and what follows was not started, such as of run %s (I10)",
              "Start any process that serves pipelines, or one with the role maintenance: it sees to it at once. If this stays, its log says why it cannot."),
          warning(
              "suspect",
              "%d tasks were held by processes that died, twice or more, such as %s",
              "Look at their attempts: the step may take its process down (memory, exit, native code)."),
          warning(
              "paused_for_long",
              "%d runs or pipelines have been paused for more than a day, such as %s",
              "Resume what is no longer meant to wait, or cancel it; the tables pause and audit say who paused it and why."),
          warning(
              "different_definitions",
              "%d pipelines are served in different versions, such as %s",
              "Normal during a deploy. Otherwise a process was left behind: stop it when its runs have ended."),
          warning(
              "clock_jump",
              "%d rows are from the future, such as of %s",
              "The database's clock was set back. Leases and delays last longer by as much; keep it in step by NTP."),
          warning(
              "long_transaction",
              "%d transactions are open for long, such as %s",
              "End it, or have its program commit: while it lasts, dead rows cannot be cleaned up and claims slow down."),
          warning(
              "encoding",
              "%d databases are not in UTF-8: %s",
              "Text with other characters is refused, and its step fails. Move to a database with the encoding UTF8."),
          warning(
              "dead_tuples",
              "%d tables are mostly dead rows that autovacuum should have removed by now, such as %s",
              "Look for a long transaction or a stale replication slot, check that autovacuum runs, then VACUUM the table."),
          warning(
              "journal",
              "%d databases are not in WAL mode: %s",
              "Let a process of Standpipe open it once, or run: pragma journal_mode = wal"),
          warning(
              "free_pages",
              "%d files are mostly free space: %s",
              "Run VACUUM at a quiet time if the space matters."));

  private static Check violation(String name, String problem, String remedy) {
    return new Check(name, Severity.VIOLATION, problem, remedy);
  }

  private static Check warning(String name, String problem, String remedy) {
    return new Check(name, Severity.WARNING, problem, remedy);
  }

  Finding finding(long count, String example) {
    return new Finding(name, severity, problem.formatted(count, example), remedy);
  }
}

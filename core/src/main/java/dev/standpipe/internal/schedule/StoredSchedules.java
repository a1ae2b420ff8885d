package dev.standpipe.internal.schedule;

import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Schedules and their instants, as the database has them. Each call is one transaction. */
public interface StoredSchedules {
  /** How many instants that operators ask for are read at once, of each schedule. */
  int REQUESTS_AT_ONCE = 100;

  /**
   * A schedule to be written.
   *
   * @param input the input of its runs, encoded; {@code null} if programs make it
   * @param by who writes it, unless it is a program that declares it
   */
  record NewSchedule(
      String name,
      String pipeline,
      Timing timing,
      Policies policies,
      @Nullable String input,
      @Nullable String by) {
    /** Whether programs declare it. */
    public boolean declared() {
      return input == null;
    }
  }

  /**
   * A schedule that somebody has to look at.
   *
   * @param info what it is
   * @param token what tells whether it has changed since
   * @param input the input of its runs, unless programs make it
   * @param now the database's time
   * @param unended the run of its last instant, if that has not ended
   * @param requested instants that an operator has asked for, the first of them
   */
  record DueSchedule(
      ScheduleInfo info,
      long token,
      @Nullable String input,
      Instant now,
      Optional<UUID> unended,
      List<Instant> requested) {}

  /**
   * What is decided about one instant.
   *
   * @param at the instant
   * @param outcome what becomes of it
   * @param start the run to start for it
   * @param error why none can be started
   */
  record Decision(
      Instant at,
      Firing.FiringOutcome outcome,
      @Nullable RunToStart start,
      @Nullable String error) {}

  /**
   * What is decided about a schedule, which takes effect if it has not changed meanwhile.
   *
   * @param next its next instant
   * @param wake when somebody has to look at it again
   */
  record Fired(
      String name,
      long token,
      Optional<Instant> next,
      Optional<Instant> wake,
      List<Decision> decisions) {}

  /** The database's time. */
  Instant now();

  /** All of them, by name. */
  List<ScheduleInfo> list();

  /** One of them. */
  Optional<ScheduleInfo> find(String name);

  /** Those that programs declare for a pipeline, by name. */
  List<ScheduleInfo> declaredFor(String pipeline);

  /** What became of its instants, the latest first. */
  List<Firing> history(String name, int limit);

  /**
   * Adds or changes some. The next instant of one stays what it is unless its timing changes.
   *
   * @return the names of those that were not changed: one that programs declare is theirs alone
   */
  List<String> put(List<NewSchedule> schedules);

  /** Removes one, with what was asked for and not begun; says whether there was one. */
  boolean remove(String name);

  /** Pauses one; says whether it was not. */
  boolean pause(String name, String by, String reason);

  /** Ends a pause, from its first instant after now on; says whether there was one. */
  boolean resume(String name);

  /**
   * Asks for instants to be fired; says for how many: those with a run, and those asked for, are
   * left out.
   */
  int request(String name, List<Instant> instants, String by);

  /**
   * Those that somebody has to look at, and can be fired here.
   *
   * @param declared the names of those whose inputs can be made here
   */
  List<DueSchedule> due(Set<String> declared, int limit);

  /**
   * Writes what was decided: for each schedule that has not changed its next instant, the instants
   * that were not decided before, and their runs.
   *
   * @return those that had not changed
   */
  List<Fired> fire(List<Fired> fired);

  /** How long until somebody has to look at the next one. */
  Optional<Duration> next();
}

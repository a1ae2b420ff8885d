package dev.standpipe.schedule;

import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownScheduleException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules on a database, and what a person can do to them. Thread-safe. */
public interface Schedules {
  /** All of them, by name. */
  List<ScheduleInfo> list();

  /** One of them. */
  Optional<ScheduleInfo> find(String name);

  /** What became of its instants, the latest first; 1,000 at most. */
  List<Firing> history(String name, int limit);

  /**
   * Makes a schedule, or changes the one that has the name, unless a program declares that. Each
   * run gets the same input.
   *
   * @param pipeline the name of a pipeline that some process has served
   * @param input the input of its runs, as {@link dev.standpipe.Standpipe#start(String, Object,
   *     dev.standpipe.RunOptions)} takes it
   * @throws UnknownPipelineException if no process has ever served the pipeline
   */
  void create(String name, String pipeline, Timing timing, Object input, Policies policies);

  /**
   * Removes a schedule. What it has started stays; so do the instants it has fired, which the same
   * name will not fire again. One that a program declares comes back when that is started again.
   *
   * @throws UnknownScheduleException if there is none of this name
   */
  void remove(String name);

  /**
   * Holds a schedule up: no instant fires until it is resumed.
   *
   * @return {@code false} if it was paused already; nothing was changed then
   * @throws UnknownScheduleException if there is none of this name
   */
  boolean pause(String name, String reason);

  /**
   * Ends a pause. Instants that passed meanwhile are not fired; {@link #backfill} fires them.
   *
   * @return {@code false} if it was not paused; nothing was changed then
   * @throws UnknownScheduleException if there is none of this name
   */
  boolean resume(String name);

  /**
   * Has a run started now, besides those of its instants, paused or not. A process that declares
   * the schedule starts it within its poll interval.
   *
   * @return the instant that stands for it in the {@link #history}
   * @throws UnknownScheduleException if there is none of this name
   */
  Instant fire(String name);

  /**
   * Has the instants of a time in the past fired for which no run was started, in their order,
   * whatever the schedule's policies; 10,000 at once at most.
   *
   * @param from the first instant that counts
   * @param until the first that does not count any more; not after now
   * @return how many will be fired
   * @throws UnknownScheduleException if there is none of this name
   */
  int backfill(String name, Instant from, Instant until);
}

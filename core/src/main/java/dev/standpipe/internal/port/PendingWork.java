package dev.standpipe.internal.port;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** What there is to do in the database, for all parts of a process in one look. */
public interface PendingWork {
  /**
   * What was seen. It is a hint: a part that acts on it looks for itself.
   *
   * @param ready whether there are tasks to take in the lanes that were asked for
   * @param suspects whether there are suspects to take, in any lane
   * @param busy whether any task is ready or held, in any lane
   * @param paused whether anything is paused
   * @param ended whether a run has ended that something follows
   * @param stopped whether a run is halting or being canceled
   * @param expired whether the lease of a process has run out
   * @param processes how many processes have a lease
   * @param nextTask how long until a task's time comes
   * @param nextDeadline how long until a run's deadline passes
   * @param nextSchedule how long until a schedule fires
   */
  record Seen(
      boolean ready,
      boolean suspects,
      boolean busy,
      boolean paused,
      boolean ended,
      boolean stopped,
      boolean expired,
      int processes,
      Optional<Duration> nextTask,
      Optional<Duration> nextDeadline,
      Optional<Duration> nextSchedule) {}

  /** What is known about the time since the last question. */
  enum Written {
    /** Nobody has written anything but heartbeats. */
    NOTHING,

    /** Somebody has written something else, or is just about to have. */
    SOMETHING,

    /** Only a look can tell. */
    UNKNOWN
  }

  /**
   * Whether it may be worth a look, without asking the database. It is a hint: a poller that was
   * told {@link Written#NOTHING} looks all the same, only less often.
   */
  default Written written() {
    return Written.UNKNOWN;
  }

  /**
   * Looks.
   *
   * @param lanes where to look for tasks that are ready
   * @return what there is, or nothing if no process has written anything since the last look
   */
  Optional<Seen> look(Collection<Integer> lanes);
}

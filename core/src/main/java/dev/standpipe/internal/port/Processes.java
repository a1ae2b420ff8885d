package dev.standpipe.internal.port;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The {@code process} table: one lease per process, whatever the number of tasks it holds. */
public interface Processes {
  /**
   * A process that joins.
   *
   * @param id a fresh id, never used before
   * @param name what people call it
   * @param host the machine it runs on
   * @param pid its number there
   */
  record Member(UUID id, String name, String host, long pid) {}

  /**
   * What a process serves, and how many deaths with a step it allows before the step is
   * quarantined.
   *
   * @param lanes the lanes
   * @param crashLimit the limit of every step
   * @param stepLimits the steps that have a limit of their own
   */
  record Serving(Collection<Integer> lanes, int crashLimit, List<StepLimit> stepLimits) {}

  /**
   * The crash limit of one step.
   *
   * @param lane its lane
   * @param node the key of its node
   * @param most the limit
   */
  record StepLimit(int lane, String node, int most) {}

  /** The crash limit of those who say nothing else. */
  int CRASH_LIMIT = 10;

  /**
   * A process whose lease ran out.
   *
   * @param id its id
   * @param name what people called it
   * @param tasks how many tasks it held, which have no owner now
   * @param quarantined those of them that were quarantined with this
   */
  record Reaped(UUID id, String name, int tasks, List<Crashed> quarantined) {
    /** One whose death got no step quarantined. */
    public Reaped(UUID id, String name, int tasks) {
      this(id, name, tasks, List.of());
    }
  }

  /**
   * A try at a step that ended with its process.
   *
   * @param run its run
   * @param node the key of its node
   * @param index its index
   * @param token its fencing token
   * @param attempt its number
   * @param crashes how many processes have died with the step, this one counted
   */
  record Crashed(UUID run, String node, int index, long token, int attempt, int crashes) {}

  /** Adds a process with a lease of this length, serving this. */
  void join(Member member, Duration lease, Serving serving);

  /** Extends a lease from now; {@code false} if the process is gone: it was reaped. */
  boolean renew(UUID process, Duration lease);

  /** Removes a process that holds no more tasks; any it still holds become ready, uncounted. */
  void leave(UUID process);

  /**
   * Takes one process whose lease ran out, if there is one, and which had a lease's time in which
   * other processes could renew theirs: its tasks get one more crash each and become ready again,
   * after a while if that was not their first few; their attempts are recorded as crashed, and the
   * process is deleted. A task that has reached its crash limit is quarantined instead, and its run
   * begins to halt. Safe from any number of processes at once: each expiry is recovered by one of
   * them.
   *
   * @param by who reaps, and never reaps itself
   */
  Optional<Reaped> reap(UUID by);

  /** Whether this process is known and its lease has not run out. */
  boolean isLive(UUID process);

  /** Whether this database has a process of this id, its lease run out or not. */
  boolean isKnown(UUID process);

  /** Reaps this process at once, by one that knows it is dead. */
  Optional<Reaped> reapNow(UUID process);
}

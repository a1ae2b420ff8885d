package dev.standpipe.spi;

import java.time.Duration;
import java.util.Collection;
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
   * A process whose lease ran out.
   *
   * @param id its id
   * @param name what people called it
   * @param tasks how many tasks it held, now ready again
   */
  record Reaped(UUID id, String name, int tasks) {}

  /** Adds a process with a lease of this length, serving these lanes. */
  void join(Member member, Duration lease, Collection<Integer> lanes);

  /** Extends a lease from now; {@code false} if the process is gone: it was reaped. */
  boolean renew(UUID process, Duration lease);

  /** Removes a process that holds no more tasks; any it still holds become ready, uncounted. */
  void leave(UUID process);

  /**
   * Takes one process whose lease ran out, if there is one: its tasks become ready again with one
   * more crash each, their attempts are recorded as crashed, and the process is deleted. Safe from
   * any number of processes at once: each expiry is recovered by one of them.
   */
  Optional<Reaped> reap();

  /** Whether this process is known and its lease has not run out. */
  boolean isLive(UUID process);

  /** Reaps this process at once, by one that knows it is dead. */
  Optional<Reaped> reapNow(UUID process);
}

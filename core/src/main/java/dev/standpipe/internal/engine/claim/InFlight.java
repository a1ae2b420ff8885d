package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.loop.Machine;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The tries that this process holds. Each takes the room of one task in the {@link Capacity}, which
 * was set aside before the try is added and is given up when the try is removed. Thread-safe.
 */
public final class InFlight {
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Set<Attempt> expands = ConcurrentHashMap.newKeySet();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Capacity capacity;
  private final Machine machine;

  public InFlight(Capacity capacity, Machine machine) {
    this.capacity = capacity;
    this.machine = machine;
  }

  public Capacity capacity() {
    return capacity;
  }

  /** Notes a try for which there is room. */
  public void add(Attempt attempt) {
    attempt.held(machine.nanoTime());
    attempts.add(attempt);
    if (attempt.isExpand()) {
      expands.add(attempt);
    }
  }

  private boolean forget(Attempt attempt) {
    if (attempt.isExpand()) {
      expands.remove(attempt);
    }
    return attempts.remove(attempt);
  }

  /** Gives up the room of a try that waits for what it would otherwise keep from being taken. */
  public void setAside(Attempt attempt) {
    if (attempt.setAside(true)) {
      capacity.unreserve(1);
    }
  }

  /** Gives room again to a try that was set aside, whatever the limit. */
  public void takeBack(Attempt attempt) {
    if (attempt.setAside(false)) {
      capacity.reserveBeyond(1);
    }
  }

  /** Forgets a try that is settled, and its room with it. */
  public void remove(Attempt attempt) {
    if (forget(attempt)) {
      if (!attempt.setAside(false)) {
        capacity.unreserve(1);
      }
      attempt.close();
    }
  }

  /** Forgets a try whose room goes to its follower. */
  public void replace(Attempt attempt, Attempt follower) {
    forget(attempt);
    add(follower);
  }

  /** The tries that are held: each is itself, however alike. */
  public Collection<Attempt> attempts() {
    return attempts;
  }

  /** The held tries of expands. */
  public Collection<Attempt> expands() {
    return expands;
  }

  /** Takes or settles tasks: any number of threads at once. */
  public <T> T moving(Supplier<T> action) {
    lock.readLock().lock();
    try {
      return action.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Begins to settle a task if that need not wait; {@link #endMoving} has to follow on this thread.
   * A body that holds locks in the database must not wait for a thread that may want them.
   */
  public boolean beginMovingIfFree() {
    return lock.readLock().tryLock();
  }

  /** Ends what {@link #beginMovingIfFree} has begun. */
  public void endMoving() {
    lock.readLock().unlock();
  }

  /** Compares the held tries with the database, while no thread takes or settles tasks. */
  public <T> T still(Supplier<T> action) {
    lock.writeLock().lock();
    try {
      return action.get();
    } finally {
      lock.writeLock().unlock();
    }
  }
}

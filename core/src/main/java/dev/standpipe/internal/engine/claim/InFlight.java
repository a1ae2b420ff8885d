package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.loop.Machine;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * What this process holds, and how much more it may take.
 *
 * <p>It may take as many tasks as bodies run at once, plus what it settles in a twentieth of a
 * second at its present pace: so a process with fast steps always has the next ones at hand, and
 * one with slow steps leaves them to others. Of what follows from its own steps it may keep what it
 * settles in a quarter of a second, since that costs nothing to keep and a queue trip to give away.
 */
public final class InFlight {
  private static final double AHEAD_SECONDS = 0.05;
  private static final int AHEAD_BATCHES = 5;
  private static final int FOLLOWERS = 5;

  private final int concurrency;
  private final int mostAhead;
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Set<Attempt> expands = ConcurrentHashMap.newKeySet();
  private final AtomicInteger reserved = new AtomicInteger();
  private final AtomicLong settled = new AtomicLong();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Machine machine;
  private final Throughput pace;
  private volatile boolean closed;
  private volatile boolean apart;
  private volatile Set<Integer> paused = Set.of();

  public InFlight(int concurrency, int maxBatch, Machine machine) {
    this.concurrency = concurrency;
    this.mostAhead = AHEAD_BATCHES * maxBatch;
    this.machine = machine;
    this.pace = new Throughput(machine);
  }

  /** Takes nothing more, and keeps nothing that follows. */
  public void close() {
    closed = true;
  }

  /** While apart, takes nothing more and keeps nothing that follows: one step is to run alone. */
  void setApart(boolean apart) {
    this.apart = apart;
  }

  /** Takes nothing more of these lanes, and keeps nothing that follows there. */
  public void pause(Set<Integer> lanes) {
    paused = lanes;
  }

  public boolean isPaused(int lane) {
    return paused.contains(lane);
  }

  public boolean isAnyPaused() {
    return !paused.isEmpty();
  }

  /** Those of these lanes that it may take from. */
  public List<Integer> open(List<Integer> lanes) {
    return paused.isEmpty() ? lanes : lanes.stream().filter(lane -> !isPaused(lane)).toList();
  }

  /** How many tasks it may hold. */
  public int limit() {
    return closed || apart ? 0 : concurrency + ahead();
  }

  private int followersLimit() {
    return closed || apart ? 0 : concurrency + FOLLOWERS * ahead();
  }

  private int ahead() {
    return (int) Math.min(mostAhead, pace.perSecond() * AHEAD_SECONDS);
  }

  /** How many more it may take. */
  public int room() {
    return Math.max(0, limit() - reserved.get());
  }

  public int size() {
    return reserved.get();
  }

  /** Whether a step that follows may stay, in the room of the one it follows. */
  public boolean mayKeep() {
    return reserved.get() <= 2 * followersLimit();
  }

  /** Whether an expand may go on here that has yielded some of its elements. */
  public boolean mayGoOn() {
    return !closed && !apart;
  }

  /** Sets room aside for up to this many; returns for how many. */
  public int reserve(int wanted) {
    return reserve(wanted, limit());
  }

  /** Sets room aside for up to this many that follow from steps of this process. */
  public int reserveForFollowers(int wanted) {
    return reserve(wanted, followersLimit());
  }

  private int reserve(int wanted, int limit) {
    int before = reserved.getAndUpdate(now -> now + grant(wanted, limit, now));
    return grant(wanted, limit, before);
  }

  /** Sets room aside for this many more, whatever the limit. */
  void reserveBeyond(int count) {
    reserved.addAndGet(count);
  }

  private static int grant(int wanted, int limit, int reserved) {
    return Math.min(wanted, Math.max(0, limit - reserved));
  }

  /** Gives up room that was set aside and not used. */
  public void unreserve(int count) {
    reserved.addAndGet(-count);
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
      reserved.decrementAndGet();
    }
  }

  /** Gives room again to a try that was set aside, whatever the limit. */
  public void takeBack(Attempt attempt) {
    if (attempt.setAside(false)) {
      reserved.incrementAndGet();
    }
  }

  /** Forgets a try that is settled, and its room with it. */
  public void remove(Attempt attempt) {
    if (forget(attempt)) {
      if (!attempt.setAside(false)) {
        reserved.decrementAndGet();
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

  /** Those of them that are expands. */
  public Collection<Attempt> expands() {
    return expands;
  }

  /** Counts what was settled. */
  public void settled(int count) {
    pace.count(count);
    settled.addAndGet(count);
  }

  /** How many tries were settled so far. */
  public long settled() {
    return settled.get();
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

  /** Compares what is held with the database, while nobody takes or settles tasks. */
  public <T> T still(Supplier<T> action) {
    lock.writeLock().lock();
    try {
      return action.get();
    } finally {
      lock.writeLock().unlock();
    }
  }
}

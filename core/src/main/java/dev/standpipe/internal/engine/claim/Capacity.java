package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.loop.Machine;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many tasks this process may hold, and of which lanes. Thread-safe.
 *
 * <p>It may take as many tasks as bodies run at once, plus as many as it settles in a twentieth of
 * a second at its present pace: so a process with fast steps always has the next ones at hand, and
 * a process with slow steps leaves them to others. Of the steps that follow from its own it may
 * keep as many as it settles in a quarter of a second, since to keep a step costs nothing and to
 * give it away costs a queue trip.
 */
public final class Capacity {
  private static final double AHEAD_SECONDS = 0.05;
  private static final int AHEAD_BATCHES = 5;
  private static final int FOLLOWERS = 5;

  private final int concurrency;
  private final int mostAhead;
  private final AtomicInteger reserved = new AtomicInteger();
  private final AtomicLong settled = new AtomicLong();
  private final Throughput pace;
  private volatile boolean closed;
  private volatile boolean apart;
  private volatile Set<Integer> paused = Set.of();

  public Capacity(int concurrency, int maxBatch, Machine machine) {
    this.concurrency = concurrency;
    this.mostAhead = AHEAD_BATCHES * maxBatch;
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

  /** The lanes among these that are not paused. */
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

  /** For how many tasks room is set aside, the held ones included. */
  public int reserved() {
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

  /** Counts settled tries. */
  public void settled(int count) {
    pace.count(count);
    settled.addAndGet(count);
  }

  /** How many tries were settled so far. */
  public long settled() {
    return settled.get();
  }
}

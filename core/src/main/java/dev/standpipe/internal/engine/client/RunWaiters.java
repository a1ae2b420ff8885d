package dev.standpipe.internal.engine.client;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.RunQueries.Answer;
import dev.standpipe.internal.port.RunQueries.Awaited;
import dev.standpipe.internal.port.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait for runs to end. A run that was started here a moment ago is likely to end
 * here soon, and its end is announced here: no caller asks the database for it yet. About all other
 * runs this asks the database at once, with one query for all callers of that moment, and from then
 * on at intervals that grow. Thread-safe.
 */
public final class RunWaiters {
  private static final Duration SHORTEST = Duration.ofMillis(4);
  private static final Duration FOREVER = Duration.ofDays(36_500);
  private static final int AT_ONCE = 1_000;

  /** A caller that only wants to know whether a run has ended must get an answer. */
  private static final Duration LEAST_TO_ASK = Duration.ofSeconds(1);

  /** Longer outputs are fetched one by one, when they are wanted. */
  private static final int LONGEST_OUTPUT = 16 << 10;

  private final RunQueries runs;
  private final Duration longest;
  private final Map<UUID, Waiters> waiting = new ConcurrentHashMap<>();
  private final ReentrantLock asking = new ReentrantLock();
  private volatile Duration interval = SHORTEST;
  private final Runnable wake;
  private volatile boolean closed;

  /**
   * Looks runs up.
   *
   * @param runs where
   * @param longest how long it waits between two looks at most
   * @param wake has {@link #poll} called soon
   */
  public RunWaiters(RunQueries runs, Duration longest, Runnable wake) {
    this.runs = runs;
    this.longest = longest;
    this.wake = wake;
  }

  /**
   * How a run has ended, as far as a waiting caller need not ask the database.
   *
   * @param output its output as it was stored, if it is known already
   */
  public record KnownEnd(Optional<String> output) {
    /** It has ended; that is all. */
    public static final KnownEnd SOMEHOW = new KnownEnd(Optional.empty());
  }

  /**
   * Waits for a run to end.
   *
   * @return how it has ended, or nothing if it has not within the time
   */
  Optional<KnownEnd> await(StartedRun run, Duration timeout) throws InterruptedException {
    Optional<String> known = run.siblings().take(run.id());
    if (known.isPresent()) {
      return Optional.of(new KnownEnd(known));
    }
    Duration least = timeout.isNegative() ? Duration.ZERO : timeout;
    Duration bounded = least.compareTo(FOREVER) < 0 ? least : FOREVER;
    long deadline = System.nanoTime() + bounded.toNanos();
    Waiters mine =
        waiting.compute(run.id(), (id, other) -> Waiters.joined(other, run.awaited().output()));
    try {
      long now = System.nanoTime();
      long patience = Math.max(0, run.startedAt() + SHORTEST.toNanos() - now);
      if (!closed && isOver(mine, Math.min(deadline - now, patience))) {
        return over(run.id(), mine);
      }
      ask(run, mine, deadline);
      if (isOver(mine, 0)) {
        return over(run.id(), mine);
      }
      interval = SHORTEST;
      wake.run();
      return closed || isOver(mine, deadline - System.nanoTime())
          ? over(run.id(), mine)
          : Optional.empty();
    } finally {
      waiting.computeIfPresent(run.id(), (id, present) -> present == mine ? mine.left() : present);
    }
  }

  private static boolean isOver(Waiters mine, long nanos) throws InterruptedException {
    return mine.over.await(nanos, TimeUnit.NANOSECONDS);
  }

  private Optional<KnownEnd> over(UUID run, Waiters mine) {
    if (closed) {
      requireEnded(run);
    }
    return Optional.of(mine.end);
  }

  private void requireEnded(UUID run) {
    if (!hasEnded(run)) {
      throw new StandpipeException(
          ErrorCode.CLOSED,
          "This Standpipe is closed and waits for nothing. Run " + run + " goes on.");
    }
  }

  private boolean hasEnded(UUID run) {
    try {
      return !runs.ended(List.of(run)).isEmpty();
    } catch (StoreException e) {
      return false;
    }
  }

  /**
   * Asks the database, one thread at a time: threads that come meanwhile wait, and the next of them
   * asks for all. The next poll asks again if the database cannot be reached now.
   */
  private void ask(StartedRun run, Waiters mine, long deadline) throws InterruptedException {
    long most = Math.max(LEAST_TO_ASK.toNanos(), deadline - System.nanoTime());
    if (!asking.tryLock() && !asking.tryLock(most, TimeUnit.NANOSECONDS)) {
      return;
    }
    try {
      if (!mine.asked) {
        Map<UUID, Awaited> wanted = new LinkedHashMap<>();
        run.siblings().from(run.place()).forEach(next -> wanted.put(next.run(), next));
        Set<UUID> siblings = Set.copyOf(wanted.keySet());
        mine.asked = true;
        waiting.forEach((id, other) -> addUnasked(wanted, id, other));
        for (Answer answer : runs.ends(wanted.values(), LONGEST_OUTPUT)) {
          if (siblings.contains(answer.run())) {
            run.siblings().ended(answer.run(), answer.output());
          }
          answered(answer, wanted);
        }
        run.siblings().take(run.id());
      }
    } catch (StoreException e) {
      // by then it may be back, or the time is up
    } finally {
      asking.unlock();
    }
  }

  private static void addUnasked(Map<UUID, Awaited> wanted, UUID run, Waiters waiting) {
    if (!waiting.asked && wanted.size() < AT_ONCE) {
      waiting.asked = true;
      wanted.putIfAbsent(run, new Awaited(run, waiting.output));
    }
  }

  private void answered(Answer ended, Map<UUID, Awaited> wanted) {
    Waiters all = waiting.get(ended.run());
    Awaited asked = wanted.get(ended.run());
    if (all != null && asked != null) {
      boolean same = asked.output().equals(all.output);
      ended(ended.run(), same ? new KnownEnd(ended.output()) : KnownEnd.SOMEHOW);
    }
  }

  void ended(UUID run, KnownEnd end) {
    Waiters all = waiting.remove(run);
    if (all != null) {
      all.end = end;
      all.over.countDown();
    }
  }

  /** Ends all waits, since this process will not hear of ends any more. */
  void close() {
    closed = true;
    waiting.values().forEach(all -> all.over.countDown());
  }

  /** How many runs are waited for. */
  int size() {
    return waiting.size();
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration poll() {
    if (waiting.isEmpty()) {
      return longest;
    }
    Map<UUID, Awaited> wanted = new LinkedHashMap<>();
    for (Map.Entry<UUID, Waiters> entry : waiting.entrySet()) {
      wanted.put(entry.getKey(), new Awaited(entry.getKey(), entry.getValue().output));
      if (wanted.size() == AT_ONCE) {
        look(wanted);
        wanted.clear();
      }
    }
    look(wanted);
    Duration now = interval;
    Duration doubled = now.multipliedBy(2);
    interval = doubled.compareTo(longest) < 0 ? doubled : longest;
    return now;
  }

  private void look(Map<UUID, Awaited> wanted) {
    if (!wanted.isEmpty()) {
      runs.ends(wanted.values(), LONGEST_OUTPUT).forEach(ended -> answered(ended, wanted));
    }
  }

  /** The callers that wait for one run. Counted under the map's lock on the run's entry. */
  private static final class Waiters {
    final CountDownLatch over = new CountDownLatch(1);
    volatile KnownEnd end = KnownEnd.SOMEHOW;

    /** Whether the database was asked since the last of them came. */
    volatile boolean asked;

    /** The node whose value they want; none if they do not agree, as with two definitions. */
    volatile String output;

    private int count;

    private Waiters(String output) {
      this.output = output;
    }

    static Waiters joined(@Nullable Waiters others, String output) {
      Waiters all = others == null ? new Waiters(output) : others;
      if (!all.output.equals(output)) {
        all.output = "";
      }
      all.asked = false;
      all.count++;
      return all;
    }

    @Nullable Waiters left() {
      return --count == 0 ? null : this;
    }
  }
}

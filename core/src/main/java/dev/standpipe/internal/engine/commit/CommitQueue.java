package dev.standpipe.internal.engine.commit;

import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.substep.PendingWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes that wait for one committer. Outcomes that the store settles apart from the rest are
 * handed out apart, whichever have waited longest; so is what tries write before they end.
 * Thread-safe.
 */
public final class CommitQueue {
  private final Queue<Letter> together = new ConcurrentLinkedQueue<>();
  private final Queue<Letter> apart = new ConcurrentLinkedQueue<>();
  private final Queue<PendingWrite> writes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong arrived = new AtomicLong();

  /** An outcome, and how many came before it. */
  private record Letter(long nth, Outcome outcome) {}

  public void add(Outcome outcome) {
    Letter letter = new Letter(arrived.getAndIncrement(), outcome);
    (outcome.attempt().ref.isSettledApart() ? apart : together).add(letter);
    size.incrementAndGet();
  }

  public int size() {
    return size.get();
  }

  boolean isEmpty() {
    return together.isEmpty() && apart.isEmpty() && writes.isEmpty();
  }

  /** Adds what a try writes before it ends. */
  void add(PendingWrite write) {
    writes.add(write);
  }

  /** Takes until there are as many writes, or bytes, as this. */
  List<PendingWrite> takeWrites(int most, long bytes) {
    List<PendingWrite> taken = new ArrayList<>();
    long written = 0;
    while (taken.size() < most && written < bytes) {
      PendingWrite write = writes.poll();
      if (write == null) {
        break;
      }
      taken.add(write);
      written += write.write().memo().value().length();
    }
    return taken;
  }

  /** Takes until there are as many values, or bytes, to write as this. */
  List<Outcome> take(int values, long bytes) {
    Queue<Letter> queue = isBefore(apart.peek(), together.peek()) ? apart : together;
    List<Outcome> taken = new ArrayList<>();
    int weight = 0;
    long written = 0;
    while (weight < values && written < bytes) {
      Letter letter = queue.poll();
      if (letter == null) {
        break;
      }
      size.decrementAndGet();
      taken.add(letter.outcome());
      weight += letter.outcome().weight();
      written += letter.outcome().bytes();
    }
    return taken;
  }

  private static boolean isBefore(@Nullable Letter one, @Nullable Letter other) {
    return one != null && (other == null || one.nth() < other.nth());
  }
}

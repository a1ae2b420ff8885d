package dev.standpipe.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What has finished and waits for one committer. Thread-safe. */
final class Inbox {
  private final Queue<Outcome> finished = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  void add(Outcome outcome) {
    finished.add(outcome);
    size.incrementAndGet();
  }

  int size() {
    return size.get();
  }

  boolean isEmpty() {
    return finished.isEmpty();
  }

  /** Takes until there are as many values to write as this. */
  List<Outcome> take(int values) {
    List<Outcome> taken = new ArrayList<>();
    int weight = 0;
    while (weight < values) {
      Outcome outcome = finished.poll();
      if (outcome == null) {
        break;
      }
      size.decrementAndGet();
      taken.add(outcome);
      weight += outcome.weight();
    }
    return taken;
  }
}

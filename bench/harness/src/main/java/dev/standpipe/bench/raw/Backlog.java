package dev.standpipe.bench.raw;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/** The tasks this process holds and has not begun. Thread-safe. */
final class Backlog {
  private static final long TICK_MILLIS = 5;

  private final LinkedBlockingDeque<Held> held = new LinkedBlockingDeque<>();
  private final Bodies bodies;

  Backlog(Bodies bodies) {
    this.bodies = bodies;
  }

  int size() {
    return held.size();
  }

  void add(List<Held> more) {
    held.addAll(more);
  }

  /** Takes what one commit can carry, after waiting a little if there is nothing. */
  List<Held> take(int limit) throws InterruptedException {
    List<Held> taken = new ArrayList<>(limit);
    Held next = held.pollFirst(TICK_MILLIS, TimeUnit.MILLISECONDS);
    int weight = 0;
    while (next != null) {
      taken.add(next);
      weight += bodies.weight(next);
      next = weight < limit ? held.pollFirst() : null;
    }
    return taken;
  }
}

package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.port.RunQueries.Awaited;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs that were started one after another. Many callers await them in that order, when they have
 * ended. So a question about one run asks for the runs after it as well, for more of them every
 * time, as long as callers keep the order and most runs have ended; the answers are kept until a
 * caller asks for them.
 *
 * <p>Only outputs of runs that succeeded are kept: nothing can change these any more. Thread-safe.
 */
final class AwaitReadAhead {
  private static final int GROWTH = 4;
  private static final int MOST_AT_ONCE = 500;

  private final List<Awaited> runs = new ArrayList<>();
  private final Map<UUID, String> outputs = new ConcurrentHashMap<>();
  private int from = -1;
  private int to = -1;
  private int ended;

  /** Adds a run; returns its place. */
  synchronized int add(UUID run, String output) {
    runs.add(new Awaited(run, output));
    return runs.size() - 1;
  }

  synchronized int size() {
    return runs.size();
  }

  /** The runs to ask for together with the one at this place, which is the first of them. */
  synchronized List<Awaited> from(int place) {
    boolean inOrder = place > from && place <= to;
    boolean worthwhile = ended * 2 >= to - from;
    int count = inOrder && worthwhile ? Math.min((to - from) * GROWTH, MOST_AT_ONCE) : 1;
    from = place;
    to = Math.min(place + count, runs.size());
    ended = 0;
    outputs.clear();
    return List.copyOf(runs.subList(from, to));
  }

  /** Notes that one of those asked for has ended; keeps its output, if there is one. */
  synchronized void ended(UUID run, Optional<String> output) {
    ended++;
    output.ifPresent(value -> outputs.put(run, value));
  }

  /** Hands out a kept answer. */
  Optional<String> take(UUID run) {
    return Optional.ofNullable(outputs.remove(run));
  }
}

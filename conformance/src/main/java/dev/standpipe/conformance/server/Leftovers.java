package dev.standpipe.conformance.server;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * What tests have made and not yet taken away: processes, directories, mounts. They go when this
 * JVM ends, the newest first, also if it was asked to end in the middle of a test. Thread-safe.
 */
public final class Leftovers {
  private static final Deque<AutoCloseable> ALL = new ConcurrentLinkedDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::takeAway, "leftovers"));
  }

  private Leftovers() {}

  /** Has this closed in the end, unless it is removed. */
  public static void add(AutoCloseable thing) {
    ALL.push(thing);
  }

  /** For what is gone already. */
  public static void remove(AutoCloseable thing) {
    ALL.remove(thing);
  }

  private static void takeAway() {
    for (AutoCloseable thing : ALL) {
      try {
        thing.close();
      } catch (Exception e) {
        System.err.println("Left behind: " + thing + ": " + e);
      }
    }
  }
}

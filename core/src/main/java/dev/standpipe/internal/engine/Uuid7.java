package dev.standpipe.internal.engine;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that sort by the time they were made, and those of one process in the order they were, so
 * that new rows are neighbours in an index. The time in them is this machine's and nothing is ever
 * decided by it.
 */
public final class Uuid7 {
  private static final int COUNTER_BITS = 12;
  private static final long COUNTER = (1 << COUNTER_BITS) - 1;

  /** The milliseconds of the last one, and how many were made within them: more spill over. */
  private static final AtomicLong LAST = new AtomicLong();

  private Uuid7() {}

  /** A fresh id. */
  public static UUID next() {
    long now = System.currentTimeMillis() << COUNTER_BITS;
    long time = LAST.updateAndGet(last -> Math.max(last + 1, now));
    long high = (time >>> COUNTER_BITS << 16) | 0x7000 | (time & COUNTER);
    long low = 0x8000_0000_0000_0000L | ThreadLocalRandom.current().nextLong() >>> 2;
    return new UUID(high, low);
  }
}

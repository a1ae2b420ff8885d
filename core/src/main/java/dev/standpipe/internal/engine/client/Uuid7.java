package dev.standpipe.internal.engine.client;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that sort by the time they were made, and those of one process in the order they were, so
 * that new rows are neighbours in an index. The time in them is this machine's and nothing is ever
 * decided by it.
 */
public final class Uuid7 {
  /** How many can be made within a millisecond, as a power of two: more than any machine does. */
  private static final int COUNTER_BITS = 20;

  private static final int HIGH_COUNTER_BITS = 12;
  private static final int LOW_COUNTER_BITS = COUNTER_BITS - HIGH_COUNTER_BITS;
  private static final int RANDOM_BITS = 62 - LOW_COUNTER_BITS;

  /** The milliseconds of the last one, and how many were made within them. */
  private static final AtomicLong LAST = new AtomicLong();

  private Uuid7() {}

  /** A fresh id. */
  public static UUID next() {
    long now = System.currentTimeMillis() << COUNTER_BITS;
    long time = LAST.updateAndGet(last -> Math.max(last + 1, now));
    long high =
        (time >>> COUNTER_BITS << 16) | 0x7000 | bits(time >>> LOW_COUNTER_BITS, HIGH_COUNTER_BITS);
    long low = 0x8000_0000_0000_0000L | (bits(time, LOW_COUNTER_BITS) << RANDOM_BITS);
    return new UUID(high, low | bits(ThreadLocalRandom.current().nextLong(), RANDOM_BITS));
  }

  private static long bits(long of, int lowest) {
    return of & ((1L << lowest) - 1);
  }
}

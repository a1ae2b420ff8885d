package dev.standpipe.internal.engine;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids that sort by the time they were made, so that new rows are neighbours in an index. The time
 * in them is this machine's and nothing is ever decided by it.
 */
public final class Uuid7 {
  private Uuid7() {}

  /** A fresh id. */
  public static UUID next() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long time = System.currentTimeMillis();
    long high = time << 16 | 0x7000 | random.nextInt(1 << 12);
    long low = 0x8000_0000_0000_0000L | random.nextLong() >>> 2;
    return new UUID(high, low);
  }
}

package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.loop.Machine;
import java.util.concurrent.TimeUnit;

/** How many of something happen in a second at present: a moving average. */
final class Throughput {
  private static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(20);
  private static final double WEIGHT = 0.3;
  private static final int STALE_WINDOWS = 10;

  private final Machine machine;
  private long windowStart;
  private long inWindow;
  private double perSecond;

  Throughput(Machine machine) {
    this.machine = machine;
    this.windowStart = machine.nanoTime();
  }

  synchronized void count(int n) {
    inWindow += n;
    long now = machine.nanoTime();
    long passed = now - windowStart;
    if (passed >= WINDOW) {
      double rate = rate(passed);
      perSecond = passed > STALE_WINDOWS * WINDOW ? rate : perSecond + WEIGHT * (rate - perSecond);
      inWindow = 0;
      windowStart = now;
    }
  }

  /** The average, or less if nothing has come for a while. */
  synchronized double perSecond() {
    long passed = machine.nanoTime() - windowStart;
    return passed < STALE_WINDOWS * WINDOW ? perSecond : Math.min(perSecond, rate(passed));
  }

  private double rate(long nanos) {
    return (double) inWindow * TimeUnit.SECONDS.toNanos(1) / (double) nanos;
  }
}

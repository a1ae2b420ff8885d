package dev.standpipe.internal.engine;

import java.util.concurrent.TimeUnit;

/** How many of something happen in a second at present: a moving average. */
final class Pace {
  private static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(20);
  private static final double WEIGHT = 0.3;

  private long windowStart = System.nanoTime();
  private long inWindow;
  private volatile double perSecond;

  synchronized void count(int n) {
    inWindow += n;
    long now = System.nanoTime();
    long passed = now - windowStart;
    if (passed >= WINDOW) {
      double rate = (double) inWindow * TimeUnit.SECONDS.toNanos(1) / (double) passed;
      perSecond = passed > 20 * WINDOW ? rate : perSecond + WEIGHT * (rate - perSecond);
      inWindow = 0;
      windowStart = now;
    }
  }

  double perSecond() {
    return perSecond;
  }
}

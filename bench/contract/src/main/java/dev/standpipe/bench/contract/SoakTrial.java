package dev.standpipe.bench.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts runs and works on them at the same time, for as long as asked for, with never more than
 * some waiting. Reports the rate of the whole and of the slowest ten seconds.
 */
final class SoakTrial implements Trial {
  private static final int BATCH = 1_000;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long TICK_NANOS = 1_000_000;

  @Override
  public void run(Contender contender, Order order, Line line) throws Exception {
    FillTrial.fill(contender, order.with(Order.RUNS, 0));
    line.awaitGo();
    Tally tally = new Tally();
    try (Engine engine =
        contender.worker(order.url(), order.shape(), tally, Contender.Settings.USUAL)) {
      line.say("result", Json.object(measure(engine, tally, order)));
    }
  }

  private static Map<String, Object> measure(Engine engine, Tally tally, Order order)
      throws Exception {
    Usage usage = Usage.begin();
    long waiting = order.number(Order.RUNS, 20_000);
    long began = System.nanoTime();
    long end = began + TimeUnit.MILLISECONDS.toNanos(order.number(Order.LIMIT_MS, 600_000));
    Windows windows = new Windows(tally, began);
    int started = 0;
    while (System.nanoTime() - end < 0) {
      if (started - tally.steps() / order.shape().steps() < waiting) {
        engine.startAll(started, BATCH);
        started += BATCH;
      } else {
        LockSupport.parkNanos(TICK_NANOS);
      }
      windows.look();
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("units", tally.steps());
    figures.put("seconds", (System.nanoTime() - began) / 1e9);
    figures.put("windows_per_second", windows.rates());
    usage.addTo(figures);
    return figures;
  }

  /** The rate of each ten seconds. */
  private static final class Windows {
    private final Tally tally;
    private final List<Long> rates = new ArrayList<>();
    private long began;
    private long before;

    Windows(Tally tally, long began) {
      this.tally = tally;
      this.began = began;
    }

    void look() {
      long now = System.nanoTime();
      if (now - began >= WINDOW_NANOS) {
        long steps = tally.steps();
        rates.add((long) ((steps - before) / ((now - began) / 1e9)));
        began = now;
        before = steps;
      }
    }

    long[] rates() {
      return rates.stream().mapToLong(Long::longValue).toArray();
    }
  }
}

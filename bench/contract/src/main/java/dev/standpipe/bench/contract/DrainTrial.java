package dev.standpipe.bench.contract;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts runs, then measures how fast they are worked off: from the first body to the moment when
 * the database holds nothing more to do, so that neither the start of the engine nor a commit that
 * is still under way is left to chance. If only some of the steps are asked for, or time is up, it
 * counts the bodies until then.
 */
final class DrainTrial implements Trial {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long TICK_NANOS = 500_000;

  @Override
  public void run(Contender contender, Order order, Line line) throws Exception {
    FillTrial.fill(contender, order);
    line.awaitGo();
    Tally tally = new Tally();
    Contender.Beside beside =
        new Contender.Beside(
            (int) order.number(Order.IDLE_PIPELINES, 0), (int) order.number(Order.SCHEDULES, 0));
    try (Engine engine = contender.workerBeside(order.url(), order.shape(), tally, beside)) {
      line.say("result", Json.object(measure(engine, tally, order)));
    }
  }

  private static Map<String, Object> measure(Engine engine, Tally tally, Order order)
      throws Exception {
    if (!tally.await(1, System.nanoTime() + PATIENCE_NANOS)) {
      throw new TimeoutException("Nothing has run within a minute");
    }
    Usage usage = Usage.begin();
    long all = order.number(Order.RUNS, 0) * order.shape().steps();
    long wanted = order.number(Order.STEPS, all);
    long limit = TimeUnit.MILLISECONDS.toNanos(order.number(Order.LIMIT_MS, 60_000));
    boolean complete = tally.await(wanted, tally.firstAt() + limit);
    if (complete && wanted == all) {
      awaitDrained(engine);
    }
    long ended = System.nanoTime();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("units", complete ? wanted : tally.steps());
    figures.put("seconds", (ended - tally.firstAt()) / 1e9);
    usage.addTo(figures);
    return figures;
  }

  private static void awaitDrained(Engine engine) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!engine.drained()) {
      if (System.nanoTime() - deadline >= 0) {
        throw new TimeoutException("Every body has run, but work is left in the database");
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
  }
}

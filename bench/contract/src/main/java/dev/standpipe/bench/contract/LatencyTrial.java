package dev.standpipe.bench.contract;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Calls run after run and measures how long each takes, start to finish, as its caller sees it. At
 * a rate, each call counts from the moment it was due: one that had to wait for its turn is not let
 * off. One that is not back long after the last was due counts as back then.
 */
final class LatencyTrial implements Trial {
  private static final int FIRST_MEASURED = 1_000_000;

  @Override
  public void run(Contender contender, Order order, Line line) throws Exception {
    FillTrial.fill(contender, order);
    line.awaitGo();
    try (Engine engine =
        contender.worker(order.url(), order.shape(), new Tally(), Contender.Settings.USUAL)) {
      Calls calls = new Calls(engine, order.number(Order.RATE, 0));
      long limit = TimeUnit.MILLISECONDS.toNanos(order.number(Order.LIMIT_MS, 60_000));
      int count = (int) order.number(Order.CALLS, 100);
      long[] warmup = calls.make(0, Math.max(1, count / 4), limit / 4);
      Usage usage = Usage.begin();
      long began = System.nanoTime();
      long[] micros = calls.make(FIRST_MEASURED, count, limit);
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("units", micros.length);
      figures.put("all_units", warmup.length + micros.length);
      figures.put("seconds", (System.nanoTime() - began) / 1e9);
      figures.put("latencies_us", micros);
      usage.addTo(figures);
      line.say("result", Json.object(figures));
    }
  }
}

package dev.standpipe.bench.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts runs as fast as can be for some time, with nobody to work on them. */
final class StartTrial implements Trial {
  @Override
  public void run(Contender contender, Order order, Line line) throws Exception {
    FillTrial.fill(contender, order);
    line.awaitGo();
    AtomicInteger next = new AtomicInteger();
    long limit = TimeUnit.MILLISECONDS.toNanos(order.number(Order.LIMIT_MS, 3_000));
    try (Engine engine = contender.client(order.url(), order.shape())) {
      start(engine, order, next, limit / 4);
      int before = next.get();
      Usage usage = Usage.begin();
      long began = System.nanoTime();
      start(engine, order, next, limit);
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("units", next.get() - before);
      figures.put("all_units", next.get());
      figures.put("seconds", (System.nanoTime() - began) / 1e9);
      usage.addTo(figures);
      line.say("result", Json.object(figures));
    }
  }

  private static void start(Engine engine, Order order, AtomicInteger next, long nanos)
      throws Exception {
    int threads = (int) order.number(Order.THREADS, 1);
    int batch = (int) order.number(Order.BATCH, 1);
    long deadline = System.nanoTime() + nanos;
    ExecutorService starters = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(starters.submit(() -> startUntil(engine, batch, next, deadline)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      starters.shutdownNow();
    }
  }

  private static int startUntil(Engine engine, int batch, AtomicInteger next, long deadline)
      throws Exception {
    while (System.nanoTime() - deadline < 0) {
      if (batch == 1) {
        engine.start(next.getAndIncrement());
      } else {
        engine.startAll(next.getAndAdd(batch), batch);
      }
    }
    return batch;
  }
}

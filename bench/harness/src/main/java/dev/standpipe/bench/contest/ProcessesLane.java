package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Trial;
import dev.standpipe.bench.server.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Several JVMs on one database. Measured is what they do together once all of them are at it. */
final class ProcessesLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Arena arena;
  private final Workload workload;
  private final List<ContenderProcess> processes = new ArrayList<>();

  ProcessesLane(Arena arena, Workload workload, Entrant entrant) throws Exception {
    this.arena = arena;
    this.workload = workload;
    for (int i = 0; i < workload.number(Workload.PROCESSES); i++) {
      processes.add(arena.processes().start(entrant, workload.jvmOptions()));
    }
  }

  @Override
  public String hello() {
    return processes.get(0).hello();
  }

  @Override
  public void warmUp() throws Exception {
    run();
  }

  @Override
  public Round run() throws Exception {
    String database = arena.nextDatabase();
    String url = arena.server().create(database);
    Order order = workload.orderFor(processes.get(0).entrant()).on(url);
    try {
      ContenderProcess first = processes.get(0);
      first.prepare(
          new Order(Trial.Kind.FILL, url, order.shape(), Map.of())
              .with(Order.RUNS, order.number(Order.RUNS, 0)));
      first.go();
      first.await("closed", PATIENCE);
      for (ContenderProcess process : processes) {
        process.prepare(order);
      }
      Meter meter = new Meter(arena.gauge(), database, 0);
      processes.forEach(ContenderProcess::go);
      Round said = measure(order);
      Reading used = meter.used();
      for (ContenderProcess process : processes) {
        process.stop();
      }
      for (ContenderProcess process : processes) {
        process.await("closed", PATIENCE);
      }
      return meter.round(said, used);
    } finally {
      arena.server().drop(database);
    }
  }

  private Round measure(Order order) throws Exception {
    long all = order.number(Order.RUNS, 0) * order.shape().steps();
    long[] counts = new long[processes.size()];
    long giveUp = System.nanoTime() + PATIENCE.toNanos();
    while (Arrays.stream(counts).min().orElse(0) == 0 && Arrays.stream(counts).sum() < all) {
      update(counts, giveUp);
    }
    long before = Arrays.stream(counts).sum();
    long began = System.nanoTime();
    long deadline =
        began + TimeUnit.MILLISECONDS.toNanos(order.number(Order.LIMIT_MS, PATIENCE.toMillis()));
    while (Arrays.stream(counts).sum() < all && System.nanoTime() - deadline < 0) {
      update(counts, giveUp);
    }
    double units = (double) Arrays.stream(counts).sum() - before;
    return new Round(Map.of(), List.of())
        .with("units", units)
        .with("all_units", units + before)
        .with("per_second", units / ((System.nanoTime() - began) / 1e9));
  }

  private void update(long[] counts, long giveUp) throws Exception {
    if (System.nanoTime() - giveUp >= 0) {
      throw new TimeoutException("Some process has nothing to do");
    }
    LockSupport.parkNanos(TICK_NANOS);
    for (int i = 0; i < counts.length; i++) {
      counts[i] = processes.get(i).count(counts[i]);
    }
  }

  @Override
  public void close() {
    processes.forEach(ContenderProcess::close);
  }
}

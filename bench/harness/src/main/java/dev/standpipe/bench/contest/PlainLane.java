package dev.standpipe.bench.contest;

import dev.standpipe.bench.contest.Workload.Style;
import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Trial;
import dev.standpipe.bench.server.Reading;
import dev.standpipe.bench.server.Snapshot;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Rounds in one JVM, each in a fresh database. */
final class PlainLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final Arena arena;
  private final Workload workload;
  private final ContenderProcess process;

  PlainLane(Arena arena, Workload workload, Entrant entrant) throws Exception {
    this.arena = arena;
    this.workload = workload;
    this.process = arena.processes().take(entrant, workload.jvmOptions());
  }

  @Override
  public String hello() {
    return process.hello();
  }

  @Override
  public void warmUp() throws Exception {
    Order order = workload.orderFor(process.entrant());
    // Latency and start trials warm up on their own.
    if (order.trial() != Trial.Kind.DRAIN) {
      return;
    }
    long millis = workload.number(Workload.WARM_UP_MS);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() - deadline < 0) {
      run(order);
    }
  }

  @Override
  public Round run() throws Exception {
    return run(workload.orderFor(process.entrant()));
  }

  private Round run(Order order) throws Exception {
    String database = arena.nextDatabase();
    String url = arena.server().create(database);
    try (Optionally<Snapshot> snapshot = snapshot(url)) {
      if (workload.style() == Style.ANALYZED) {
        analyze(order.on(url));
      }
      process.prepare(order.on(url));
      // Statistics would be there in real life; no contender is to suffer from a fresh database.
      if (workload.style() != Style.ANALYZED) {
        arena.server().execute(url, "analyze");
      }
      Meter meter = new Meter(arena.gauge(), database, snapshot.count());
      process.go();
      String result = process.await("result", PATIENCE);
      Reading used = meter.used();
      process.await("closed", PATIENCE);
      return meter.round(result, used);
    } finally {
      arena.server().drop(database);
    }
  }

  /** Makes the tables, and has the planner learn that they are empty. */
  private void analyze(Order order) throws Exception {
    process.prepare(new Order(Trial.Kind.FILL, order.url(), order.shape(), Map.of()));
    process.go();
    process.await("closed", PATIENCE);
    arena.server().execute(order.url(), "analyze");
  }

  private Optionally<Snapshot> snapshot(String url) throws Exception {
    return workload.style() == Style.SNAPSHOT
        ? new Optionally<>(Optional.of(Snapshot.of(url)))
        : new Optionally<>(Optional.empty());
  }

  @Override
  public void close() {
    arena.processes().release(process, workload.jvmOptions());
  }

  /** Something to close, or nothing. */
  private record Optionally<T extends AutoCloseable>(Optional<T> thing) implements AutoCloseable {
    int count() {
      return thing.isPresent() ? 1 : 0;
    }

    @Override
    public void close() {
      thing.ifPresent(
          one -> {
            try {
              one.close();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }
}

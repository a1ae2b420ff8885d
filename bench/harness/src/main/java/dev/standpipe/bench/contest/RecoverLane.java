package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Trial;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker that is busy with all the work there is gets killed while another stands by. Measured is
 * the time until the last of the work runs again.
 */
final class RecoverLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long STANDING_BY_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private final Arena arena;
  private final Workload workload;
  private final Entrant entrant;
  private final ContenderProcess survivor;

  RecoverLane(Arena arena, Workload workload, Entrant entrant) throws Exception {
    this.arena = arena;
    this.workload = workload;
    this.entrant = entrant;
    this.survivor = start();
  }

  private ContenderProcess start() throws Exception {
    return arena.processes().start(entrant, workload.jvmOptions());
  }

  @Override
  public String hello() {
    return survivor.hello();
  }

  @Override
  public void warmUp() {
    // seconds are not a matter of warmth
  }

  @Override
  public Round run() throws Exception {
    String database = arena.nextDatabase();
    String url = arena.server().create(database);
    Order order = workload.orderFor(entrant).on(url);
    long all = order.number(Order.RUNS, 0);
    try (ContenderProcess victim = start()) {
      survivor.prepare(
          new Order(Trial.Kind.FILL, url, order.shape(), Map.of()).with(Order.RUNS, all));
      survivor.go();
      survivor.await("closed", PATIENCE);
      victim.prepare(order.with(Order.HOLD, 1));
      victim.go();
      victim.awaitCount(all, PATIENCE);
      survivor.prepare(order);
      survivor.go();
      survivor.await("serving", PATIENCE);
      LockSupport.parkNanos(STANDING_BY_NANOS);
      long killed = System.nanoTime();
      victim.kill();
      survivor.awaitCount(all, PATIENCE);
      double seconds = (System.nanoTime() - killed) / 1e9;
      survivor.stop();
      survivor.await("closed", PATIENCE);
      return Round.ofSeconds(seconds);
    } finally {
      arena.server().drop(database);
    }
  }

  @Override
  public void close() {
    survivor.close();
  }
}

package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Trial;
import dev.standpipe.bench.server.Reading;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * Rounds in one JVM and one database, which is filled once: a million runs take a while to start.
 * Each round takes off its own steps, and the rest waits.
 */
final class BacklogLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Arena arena;
  private final Workload workload;
  private final ContenderProcess process;
  private final String database;

  BacklogLane(Arena arena, Workload workload, Entrant entrant) throws Exception {
    this.arena = arena;
    this.workload = workload;
    this.process = arena.processes().take(entrant, workload.jvmOptions());
    this.database = arena.nextDatabase();
  }

  @Override
  public String hello() {
    return process.hello();
  }

  @Override
  public void warmUp() throws Exception {
    String url = arena.server().create(database);
    // What the rounds take off comes on top of what waits.
    long rounds = 4;
    long taken =
        rounds * workload.order().number(Order.STEPS, 0) / workload.order().shape().steps();
    long waiting = workload.number(Workload.WAITING) + taken;
    Order fill = new Order(Trial.Kind.FILL, url, workload.order().shape(), Map.of());
    process.prepare(fill.with(Order.RUNS, waiting));
    process.go();
    process.await("closed", PATIENCE);
    run();
  }

  @Override
  public Round run() throws Exception {
    process.prepare(workload.order().on(arena.server().urlOf(database)).with(Order.RUNS, 0));
    Meter meter = new Meter(arena.gauge(), database, 0);
    process.go();
    String result = process.await("result", PATIENCE);
    Reading used = meter.used();
    process.await("closed", PATIENCE);
    return meter.round(result, used);
  }

  @Override
  public void close() {
    arena.processes().release(process, workload.jvmOptions());
    try {
      arena.server().drop(database);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

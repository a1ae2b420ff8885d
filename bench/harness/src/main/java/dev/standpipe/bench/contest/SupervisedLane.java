package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Trial;
import dev.standpipe.bench.standpipe.HoldingWorker;
import dev.standpipe.supervisor.Supervisor;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A supervisor's child that is busy with all the work there is gets killed while another worker
 * stands by. Measured is the time until the last of the work runs again: the supervisor does not
 * wait for the lease of a child it saw die.
 */
final class SupervisedLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long STANDING_BY_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String HELD = "select count(*) from standpipe_task where state = 1";

  private final Arena arena;
  private final Workload workload;
  private final ContenderProcess survivor;

  SupervisedLane(Arena arena, Workload workload) throws Exception {
    this.arena = arena;
    this.workload = workload;
    this.survivor = arena.processes().start(Entrant.STANDPIPE, workload.jvmOptions());
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
    Order order = workload.orderFor(Entrant.STANDPIPE).on(url);
    long all = order.number(Order.RUNS, 0);
    try {
      survivor.prepare(
          new Order(Trial.Kind.FILL, url, order.shape(), Map.of()).with(Order.RUNS, all));
      survivor.go();
      survivor.await("closed", PATIENCE);
      Supervisor supervisor = supervise(url, order);
      try {
        awaitHeld(url, all);
        survivor.prepare(order);
        survivor.go();
        survivor.await("serving", PATIENCE);
        LockSupport.parkNanos(STANDING_BY_NANOS);
        ProcessHandle victim = ProcessHandle.of(supervisor.pids().get(0)).orElseThrow();
        long killed = System.nanoTime();
        victim.destroyForcibly();
        survivor.awaitCount(all, PATIENCE);
        double seconds = (System.nanoTime() - killed) / 1e9;
        survivor.stop();
        survivor.await("closed", PATIENCE);
        return Round.ofSeconds(seconds);
      } finally {
        supervisor.close();
      }
    } finally {
      arena.server().drop(database);
    }
  }

  private Supervisor supervise(String url, Order order) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return Supervisor.on(source)
        .main(HoldingWorker.class.getName())
        .jvmOptions(workload.jvmOptions())
        .arguments(List.of(url, order.shape().toString()))
        .grace(Duration.ofMillis(1))
        .start();
  }

  private static void awaitHeld(String url, long all) throws SQLException, TimeoutException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (held(url) < all) {
      if (System.nanoTime() - deadline >= 0) {
        throw new TimeoutException("The supervisor's child has not taken all the work");
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  private static long held(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(HELD)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    survivor.close();
  }
}

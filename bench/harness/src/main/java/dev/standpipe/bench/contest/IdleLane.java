package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.server.Reading;
import dev.standpipe.bench.standpipe.StandpipeContender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * JVMs that have nothing to do. Measured is what they cost the database and the machine, and how
 * long a run takes that somebody else starts then, by the database's clock.
 */
final class IdleLane implements Lane {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long BETWEEN_CALLS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int CALLS = 15;
  private static final String PICKUP =
      "select percentile_cont(0.5) within group"
          + " (order by extract(epoch from finished_at - created_at) * 1000) from standpipe_run";

  private final Arena arena;
  private final Workload workload;
  private final List<ContenderProcess> processes = new ArrayList<>();

  IdleLane(Arena arena, Workload workload, Entrant entrant) throws Exception {
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
  public void warmUp() {
    // nothing is done that could be warm
  }

  @Override
  public Round run() throws Exception {
    String database = arena.nextDatabase();
    String url = arena.server().create(database);
    Order order = workload.orderFor(processes.get(0).entrant()).on(url);
    try {
      for (ContenderProcess process : processes) {
        process.prepare(order);
        process.go();
        process.await("serving", PATIENCE);
      }
      LockSupport.parkNanos(SETTLE_NANOS);
      Round round = measure(database).with("pickup_ms", pickup(url, order));
      for (ContenderProcess process : processes) {
        process.stop();
      }
      for (ContenderProcess process : processes) {
        process.await("closed", PATIENCE);
      }
      return round;
    } finally {
      arena.server().drop(database);
    }
  }

  private Round measure(String database) throws SQLException {
    Reading before = arena.gauge().read(database);
    long began = System.nanoTime();
    LockSupport.parkNanos(WINDOW_NANOS);
    double statements = arena.gauge().read(database).since(before).statements();
    double seconds = (System.nanoTime() - began) / 1e9;
    double connections = arena.gauge().connectionsInUse(database, (int) Math.ceil(seconds));
    return new Round(Map.of(), List.of())
        .with("statements_per_second", statements / seconds)
        .with("connections", connections / processes.size())
        .with("threads", threads());
  }

  /** From the start of a run, by a process that serves nothing, to its end, in milliseconds. */
  private static double pickup(String url, Order order) throws Exception {
    try (var client = new StandpipeContender().client(url, order.shape())) {
      for (int i = 0; i < CALLS; i++) {
        client.call(i);
        LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
      }
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(PICKUP)) {
      row.next();
      return row.getDouble(1);
    }
  }

  /** Those of the engine, by their names, where the system tells; else not a number. */
  private double threads() {
    long most = 0;
    for (ContenderProcess process : processes) {
      try (Stream<Path> tasks =
          Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
        most = Math.max(most, tasks.filter(IdleLane::isOurs).count());
      } catch (IOException e) {
        return Double.NaN;
      }
    }
    return most;
  }

  private static boolean isOurs(Path task) {
    try {
      return Files.readString(task.resolve("comm")).startsWith("standpipe-");
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  @Override
  public void close() {
    processes.forEach(ContenderProcess::close);
  }
}

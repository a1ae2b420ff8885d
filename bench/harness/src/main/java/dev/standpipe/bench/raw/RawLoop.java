package dev.standpipe.bench.raw;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** The loop: a thread that claims and two that run bodies and commit. */
final class RawLoop implements AutoCloseable {
  private static final int BATCH = 200;
  private static final int COMMITTERS = 2;

  /** Where each step has a transaction of its own: as many as Standpipe's pool lets work. */
  private static final int BOOKERS = 8;

  private static final int LOW_WATER = 2 * BATCH;
  private static final long FULL_NANOS = 200_000;
  private static final long IDLE_NANOS = 5_000_000;

  private final String url;
  private final Bodies bodies;
  private final Backlog backlog;
  private final UUID owner = UUID.randomUUID();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean open = true;

  RawLoop(String url, Bodies bodies) {
    this.url = url;
    this.bodies = bodies;
    this.backlog = new Backlog(bodies);
  }

  void start() {
    run("raw-claimer", this::claim);
    int committers = bodies.books() ? BOOKERS : COMMITTERS;
    for (int i = 0; i < committers; i++) {
      run("raw-committer-" + i, this::commit);
    }
  }

  private void run(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            },
            name);
    threads.add(thread);
    thread.start();
  }

  private void claim() throws SQLException {
    try (Claimer claimer = new Claimer(connect(url), owner)) {
      while (open) {
        if (backlog.size() >= LOW_WATER) {
          LockSupport.parkNanos(FULL_NANOS);
          continue;
        }
        List<Held> claimed = claimer.claim(BATCH);
        backlog.add(claimed);
        if (claimed.isEmpty()) {
          LockSupport.parkNanos(IDLE_NANOS);
        }
      }
    }
  }

  private void commit() throws SQLException, InterruptedException {
    try (Settler settler = settler()) {
      while (open) {
        List<Held> batch = backlog.take(bodies.books() ? 1 : BATCH);
        List<Outcome> outcomes = new ArrayList<>(batch.size());
        for (Held held : batch) {
          outcomes.add(bodies.run(held));
        }
        if (!outcomes.isEmpty()) {
          backlog.add(settler.settle(outcomes));
        }
      }
    }
  }

  private Settler settler() throws SQLException {
    if (bodies.books()) {
      return new BookingSettler(connect(url), owner);
    }
    String[] joined = bodies.joined();
    return joined.length == 0
        ? new ChainSettler(connect(url), owner)
        : new GraphSettler(connect(url), owner, joined);
  }

  /** Plans are made once and always look rows up, whatever the statistics say at that moment. */
  static Connection connect(String url) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("prepareThreshold", "1");
    Connection connection = DriverManager.getConnection(url, properties);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "set plan_cache_mode = force_generic_plan; set enable_seqscan = off;"
              + " set enable_bitmapscan = off; set enable_hashjoin = off;"
              + " set enable_mergejoin = off; set jit = off");
    }
    return connection;
  }

  @Override
  public void close() {
    open = false;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private interface Work {
    void run() throws SQLException, InterruptedException;
  }
}

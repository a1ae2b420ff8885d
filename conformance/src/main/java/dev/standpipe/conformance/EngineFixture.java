package dev.standpipe.conformance;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.StepBody;
import dev.standpipe.StepFunction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * A database and the Standpipes a test makes on it, each of which stands for a process. They are
 * closed with the fixture, the newest first. Thread-safe.
 */
public final class EngineFixture implements AutoCloseable {
  /** More than anything here takes on the slowest machine; running out of it is a failure. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Short, for tests that wait for one to run out. */
  public static final Duration SHORT_LEASE = Duration.ofSeconds(1);

  private final DataSource source;
  private final ConcurrentLinkedDeque<Standpipe> processes = new ConcurrentLinkedDeque<>();

  /** Works on this database. */
  public EngineFixture(DataSource source) {
    this.source = source;
  }

  /** Where connections come from. */
  public DataSource source() {
    return source;
  }

  /** Sets up a process that does not linger when it is closed. */
  public StandpipeBuilder process(Pipeline<?, ?>... pipelines) {
    return Standpipe.on(source).grace(Duration.ofSeconds(2)).serve(pipelines);
  }

  /** Starts a process that serves these pipelines. */
  public Standpipe serve(Pipeline<?, ?>... pipelines) {
    return start(process(pipelines));
  }

  /** Starts a process that serves nothing. */
  public Standpipe client() {
    return serve();
  }

  /** Starts a process that was set up. */
  public Standpipe start(StandpipeBuilder builder) {
    Standpipe standpipe = builder.start();
    processes.addFirst(standpipe);
    return standpipe;
  }

  /** A pipeline of one step, {@code work}, from text to text. */
  public static Pipeline<String, String> single(
      String name, StepBody<? super String, ? extends String> body) {
    return single(name, body, step -> step);
  }

  /** A pipeline of one step, {@code work}, with something special about it. */
  public static Pipeline<String, String> single(
      String name,
      StepBody<? super String, ? extends String> body,
      UnaryOperator<Node<String>> special) {
    return Pipeline.define(
        name,
        String.class,
        String.class,
        flow -> special.apply(flow.input().step("work", String.class, body)));
  }

  /** A pipeline of three steps, {@code a}, {@code b} and {@code c}, each of which adds one. */
  public static Pipeline<Integer, Integer> threeSteps(String name, Duration eachTakes) {
    StepFunction<Integer, Integer> body =
        n -> {
          pause(eachTakes);
          return n + 1;
        };
    return Pipeline.define(
        name,
        Integer.class,
        Integer.class,
        flow ->
            flow.input()
                .step("a", Integer.class, body)
                .step("b", Integer.class, body)
                .step("c", Integer.class, body));
  }

  /** What a body that takes its time does. */
  public static void pause(Duration time) throws InterruptedException {
    boolean opened = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    if (opened) {
      throw new AssertionError("Nobody opens it");
    }
  }

  /** The results of runs that all succeed, in their order. */
  public static <T> List<T> await(List<Run<T>> runs) throws InterruptedException {
    List<T> results = new ArrayList<>();
    for (Run<T> run : runs) {
      results.add(run.await(PATIENCE));
    }
    return results;
  }

  /** The rows of a query, columns parted by bars; its tables have the prefix standpipe_. */
  public List<String> query(String sql) {
    return query(source, sql);
  }

  /** The rows of a query, columns parted by bars. */
  public static List<String> query(DataSource source, String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          columns.add(String.valueOf(row.getString(i)));
        }
        rows.add(String.join("|", columns));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Runs a statement. */
  public void execute(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Whether the database is a file. */
  public boolean isSqlite() {
    return source.getClass().getName().contains("SQLite");
  }

  /** A time long past, in SQL. */
  public String past() {
    return isSqlite() ? "1" : "now() - interval '1 hour'";
  }

  /** Has the time come of all rows that wait for theirs, so that no test has to wait with them. */
  public void hasten(String table) {
    execute(
        "update standpipe_%s set due_at = %s where due_at is not null".formatted(table, past()));
  }

  /** A process that died long ago and that nobody has reaped yet. */
  public UUID dead() {
    UUID id = UUID.randomUUID();
    execute(
        "insert into standpipe_process (id, name, host, pid, crash_limit, lease_us, lease_expires_at) values ('%s', 'dead', 'here', 1, 10, 1000, %s)"
            .formatted(id, past()));
    return id;
  }

  @Override
  public void close() {
    processes.forEach(Standpipe::close);
  }
}

package dev.standpipe.cli.drill;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.StepBody;
import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.CleanUp;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import dev.standpipe.spi.Listener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** Where one drill is staged: tables of its own, processes on them, and checks. */
final class Stage {
  /** Short, so that nobody has to wait for long, but no machine stalls for so long. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** For those who are not to lose it. */
  static final Duration LONG_LEASE = Duration.ofSeconds(30);

  /** How many processes may die with a step. */
  static final int CRASH_LIMIT = 3;

  /** How many steps a run has. */
  static final int STEPS = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL = Duration.ofMillis(10).toNanos();

  private final Address address;
  private final DataSource source;
  private final String prefix;
  private final Story story;
  private final CleanUp cleanUp;
  private final List<String> broken = new ArrayList<>();

  Stage(Address address, DataSource source, String prefix, Story story, CleanUp cleanUp) {
    this.address = address;
    this.source = source;
    this.prefix = prefix;
    this.story = story;
    this.cleanUp = cleanUp;
  }

  /** A chain of steps that all have the same body. */
  static Pipeline<String, String> pipeline(StepBody<String, String> body) {
    return Pipeline.define(
        "drill",
        String.class,
        String.class,
        flow -> {
          Node<String> node = flow.input();
          for (int i = 1; i <= STEPS; i++) {
            node =
                node.step("step-" + i, String.class, body)
                    .retry(Retry.exponential(Duration.ofMillis(100)).limit(3));
          }
          return node;
        });
  }

  Story story() {
    return story;
  }

  DataSource source() {
    return source;
  }

  /** A pool of connections that one process has to itself. */
  DataSource newSource() {
    DataSource own = address.open();
    if (own instanceof AutoCloseable pool) {
      cleanUp.add(pool);
    }
    return own;
  }

  /** A line to the database that can be cut. */
  Line line() {
    return new Line(source, prefix + "result");
  }

  /** Sets up a process within this JVM, on this line. */
  StandpipeBuilder process(String name, DataSource line, Pipeline<String, String> pipeline) {
    Listener listener = event -> story.hear(name, event);
    return Standpipe.on(line)
        .serve(pipeline)
        .name(name)
        .tablePrefix(prefix)
        .lease(LEASE)
        .crashLimit(CRASH_LIMIT)
        .concurrency(4)
        .grace(Duration.ofSeconds(2))
        .listener(listener);
  }

  /** Starts it; it stops with the drill. */
  Standpipe start(StandpipeBuilder builder) {
    return cleanUp.add(builder.start());
  }

  /** Starts a worker JVM; it dies with the drill. */
  Worker worker(String name) {
    return hire(name);
  }

  /** Starts a worker JVM that dies of the input {@link Poison#INPUT} and does all other work. */
  Worker poisonableWorker(String name) {
    return hire(name, "--poisonable");
  }

  private Worker hire(String name, String... more) {
    try {
      Worker.Site site = new Worker.Site(address, prefix, cleanUp.newDirectory());
      return cleanUp.add(Worker.start(name, site, story, more));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make a directory for a worker", e);
    }
  }

  /** Starts so many runs, as a client would. */
  List<Run<String>> startRuns(int count) {
    return startRuns(Collections.nCopies(count, "go"));
  }

  /** Starts a run for each input. */
  List<Run<String>> startRuns(List<String> inputs) {
    try (Standpipe client = Standpipe.on(source).tablePrefix(prefix).start()) {
      List<Run<String>> runs = client.startAll(pipeline((text, ctx) -> text), inputs);
      story.tell("runs_started", inputs.size() + " runs of " + STEPS + " steps");
      return runs;
    }
  }

  /** Waits until this holds, and says so if it never does. */
  boolean await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted() || deadline - System.nanoTime() <= 0) {
        check(what, false);
        return false;
      }
      LockSupport.parkNanos(POLL);
    }
    return true;
  }

  /** Waits until so many runs have ended. */
  boolean awaitEnded(int runs) {
    return await(
        "all runs end (I1)",
        () -> count("select count(*) from %srun where finished_at is not null") == runs);
  }

  void check(String what, boolean holds) {
    story.tell(holds ? "check_passed" : "check_failed", what);
    if (!holds) {
      broken.add(what);
    }
  }

  /** What must hold after every drill in which all runs should succeed. */
  void checkInvariants(int runs) {
    check(
        "every run has succeeded (I1)",
        count("select count(*) from %srun where status = 'succeeded'") == runs);
    check(
        "every step has one result and no more (I2)",
        count("select count(*) from %sresult where outcome = 1 and node <> '$input'")
            == runs * STEPS);
    check("nothing is left over (I8)", count("select count(*) from %stask") == 0);
    checkHealth();
  }

  /** What must hold after every drill. */
  void checkHealth() {
    try (Standpipe client = Standpipe.on(source).tablePrefix(prefix).start()) {
      List<Finding> violations =
          client.doctor().stream().filter(f -> f.severity() == Severity.VIOLATION).toList();
      String found = violations.isEmpty() ? "" : ", but " + violations;
      check("the doctor finds no violation" + found, violations.isEmpty());
    }
  }

  boolean passed() {
    return broken.isEmpty();
  }

  /** Whether anybody can write: a process frozen in the middle of one keeps all off SQLite. */
  boolean isWritable() {
    if (!address.isSqlite()) {
      return true;
    }
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 300");
      statement.execute("begin immediate");
      statement.execute("rollback");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** A number from the tables; −1 while the database cannot be asked. */
  int count(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql.replace("%s", prefix))) {
      return row.next() ? row.getInt(1) : 0;
    } catch (SQLException e) {
      return -1;
    }
  }
}

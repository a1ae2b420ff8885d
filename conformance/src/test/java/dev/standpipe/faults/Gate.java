package dev.standpipe.faults;

import dev.standpipe.conformance.fixture.StandIn;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Holds a process up just before it runs the first statement that has a certain text in it, until
 * it is opened. Thread-safe.
 */
final class Gate {
  private final DataSource source;
  private final String text;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  Gate(DataSource source, String text) {
    this.source = source;
    this.text = text;
  }

  /** What the process is given. */
  DataSource dataSource() {
    return StandIn.of(
        DataSource.class,
        (self, method, args) -> {
          Object result = StandIn.call(source, method, args);
          return result instanceof Connection connection ? guarded(connection) : result;
        });
  }

  /** Waits until somebody stands before it. */
  void awaitReached() throws InterruptedException {
    if (!reached.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("Nobody has come to the gate: is there still such a statement?");
    }
  }

  void open() {
    open.countDown();
  }

  private Connection guarded(Connection real) {
    return StandIn.of(
        Connection.class,
        (self, method, args) -> {
          Object result = StandIn.call(real, method, args);
          return result instanceof PreparedStatement statement && args[0].toString().contains(text)
              ? StandIn.of(PreparedStatement.class, (s, m, a) -> pass(statement, m, a))
              : result;
        });
  }

  private Object pass(PreparedStatement statement, Method method, Object[] args) throws Throwable {
    if (method.getName().startsWith("execute")) {
      reached.countDown();
      open.await();
    }
    return StandIn.call(statement, method, args);
  }
}

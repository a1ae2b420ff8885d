package dev.standpipe.conformance;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * Between a process and its database. Shut, it lets transactions that have begun come to their end
 * and holds back everything else until it is opened: the process lives, and cannot be heard. Cut,
 * everything fails as over a broken connection. Thread-safe.
 */
public final class Valve {
  private final DataSource source;
  private volatile CountDownLatch open = new CountDownLatch(0);
  private volatile boolean cut;

  private Valve(DataSource source) {
    this.source = source;
  }

  /** An open valve before this database. */
  public static Valve before(DataSource source) {
    return new Valve(source);
  }

  /** What the process is given. */
  public DataSource dataSource() {
    return StandIn.of(
        DataSource.class,
        (self, method, args) -> {
          if (!method.getName().equals("getConnection")) {
            return StandIn.call(source, method, args);
          }
          pass();
          Connection real = (Connection) StandIn.call(source, method, args);
          return StandIn.of(Connection.class, new Guard(real));
        });
  }

  /** Holds back whatever comes from now on. */
  public void shut() {
    open = new CountDownLatch(1);
  }

  /** Fails whatever comes from now on. */
  public void cut() {
    cut = true;
  }

  /** Lets everything through again, what was held back first of all. */
  public void open() {
    cut = false;
    open.countDown();
  }

  private void pass() throws SQLException {
    boolean through = false;
    boolean interrupted = false;
    while (!through) {
      try {
        open.await();
        through = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (cut) {
      throw new SQLException("The connection is cut", "08006");
    }
  }

  /** One connection. Knows whether a transaction is under way, in the words of either database. */
  private final class Guard implements InvocationHandler {
    private final Connection real;
    private volatile boolean inTransaction;

    Guard(Connection real) {
      this.real = real;
    }

    @Override
    public Object invoke(Object self, Method method, Object[] args) throws Throwable {
      if (method.getName().equals("setAutoCommit")) {
        boolean begins = Boolean.FALSE.equals(args[0]);
        if (begins) {
          pass();
        }
        Object result = StandIn.call(real, method, args);
        inTransaction = begins;
        return result;
      }
      Object result = StandIn.call(real, method, args);
      return result instanceof Statement statement
          ? StandIn.of(
              method.getReturnType(), (proxy, call, values) -> execute(statement, call, values))
          : result;
    }

    private Object execute(Statement statement, Method method, Object[] args) throws Throwable {
      if (!method.getName().startsWith("execute")) {
        return StandIn.call(statement, method, args);
      }
      if (!inTransaction) {
        pass();
      }
      Object result = StandIn.call(statement, method, args);
      String sql =
          args != null && args.length > 0 ? args[0].toString().toLowerCase(Locale.ROOT) : "";
      if (sql.startsWith("begin")) {
        inTransaction = true;
      } else if (sql.startsWith("commit") || sql.startsWith("rollback")) {
        inTransaction = false;
      }
      return result;
    }
  }
}

package dev.standpipe.cli.drill;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The line from a process to its database. Cut, everything fails as over a dead network; it can
 * also lose the reply to a commit: the database has done it, the process cannot know. Thread-safe.
 */
final class Line {
  private final DataSource source;
  private final String resultTable;
  private final AtomicInteger toLose = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private volatile boolean cut;

  /** A whole line; commits are told by the table that results go to. */
  Line(DataSource source, String resultTable) {
    this.source = source;
    this.resultTable = resultTable;
  }

  void cut() {
    cut = true;
  }

  void mend() {
    cut = false;
  }

  /** Loses the replies to so many commits of finished steps. */
  void loseReplies(int count) {
    toLose.set(count);
  }

  int lost() {
    return lost.get();
  }

  /** The process's end of the line. */
  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (self, method, args) -> {
          if (!method.getName().equals("getConnection")) {
            return call(source, method, args);
          }
          requireWhole();
          return proxy(Connection.class, new Wire(source.getConnection()));
        });
  }

  private void requireWhole() throws SQLException {
    if (cut) {
      throw new SQLException("The line is cut", "08006");
    }
  }

  /** One connection, which knows whether its transaction has finished steps in it. */
  private final class Wire implements InvocationHandler {
    private final Connection real;
    private boolean transaction;
    private boolean settles;

    Wire(Connection real) {
      this.real = real;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] args)
        throws Throwable {
      String name = method.getName();
      if (name.equals("setAutoCommit") && args != null) {
        requireWhole();
        begin(Boolean.FALSE.equals(args[0]));
      }
      Object result = call(real, method, args);
      if (name.equals("commit")) {
        afterCommit();
      }
      if (result instanceof Statement statement) {
        String sql = args == null ? "" : String.valueOf(args[0]);
        Class<?> type =
            statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return proxy(type, (proxy, call, values) -> execute(statement, sql, call, values));
      }
      return result;
    }

    private void begin(boolean begins) {
      transaction = begins;
      settles = false;
    }

    private @Nullable Object execute(
        Statement statement, String prepared, Method method, Object @Nullable [] args)
        throws Throwable {
      if (!method.getName().startsWith("execute")) {
        return call(statement, method, args);
      }
      requireWhole();
      String sql = args == null || args.length == 0 ? prepared : String.valueOf(args[0]);
      Object result = call(statement, method, args);
      if (sql.startsWith("begin")) {
        begin(true);
      }
      settles |= sql.contains("insert into " + resultTable);
      if (!transaction || sql.startsWith("commit")) {
        afterCommit();
      }
      return result;
    }

    private void afterCommit() throws SQLException {
      boolean settled = settles;
      begin(false);
      if (settled && toLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        lost.incrementAndGet();
        real.close();
        throw new SQLException("The reply was lost", "08006");
      }
    }
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] args)
      throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Line.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}

package dev.standpipe.internal.simulation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The way from one process to the database. It breaks where it is told to: before a statement
 * arrives, or after it took effect and before its reply does.
 */
final class SimLink {
  /** Where it breaks. */
  enum Break {
    BEFORE,
    AFTER
  }

  private final SimDatabase database;
  private final Consumer<String> trace;
  private Break next;
  private int statementsLeft;
  private Runnable onBreak = () -> {};
  private boolean cut;

  SimLink(SimDatabase database, Consumer<String> trace) {
    this.database = database;
    this.trace = trace;
  }

  /** Breaks at the statement after this many more, and then does this. */
  void breakAt(int statements, Break where, Runnable then) {
    statementsLeft = statements;
    next = where;
    onBreak = then;
  }

  /** Nothing breaks from here on. */
  void heal() {
    next = null;
  }

  /** Nothing gets through any more: the process is dead. */
  void cut() {
    cut = true;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (self, method, args) -> {
          if (!method.getName().equals("getConnection")) {
            throw new UnsupportedOperationException(method.getName());
          }
          requireAlive();
          return proxy(Connection.class, new Line());
        });
  }

  private void requireAlive() throws SQLException {
    if (cut || database.isAway()) {
      throw lost();
    }
  }

  private static SQLException lost() {
    return new SQLException("The connection is lost", "08006");
  }

  /** One connection, as the process sees it. */
  private final class Line implements InvocationHandler {
    private boolean broken;
    private boolean inTransaction;

    @Override
    public Object invoke(Object self, Method method, Object[] args) throws Throwable {
      switch (method.getName()) {
        case "prepareStatement" -> {
          requireOpen();
          String sql = (String) args[0];
          return statement(PreparedStatement.class, database.prepare(sql), sql);
        }
        case "createStatement" -> {
          requireOpen();
          return statement(Statement.class, database.connection().createStatement(), "");
        }
        case "close" -> {
          hangUp();
          return null;
        }
        case "getAutoCommit" -> {
          return true;
        }
        case "setAutoCommit" -> {
          return null;
        }
        default -> throw new UnsupportedOperationException(method.getName());
      }
    }

    private void requireOpen() throws SQLException {
      requireAlive();
      if (broken) {
        throw lost();
      }
    }

    private <T extends Statement> T statement(Class<T> type, T real, String prepared) {
      return proxy(
          type,
          (self, method, args) -> {
            if (method.getName().startsWith("execute")) {
              return execute(real, method, args, args == null ? prepared : (String) args[0]);
            }
            if (method.getName().equals("close") && !prepared.isEmpty()) {
              return null;
            }
            return call(real, method, args);
          });
    }

    private Object execute(Statement real, Method method, Object[] args, String sql)
        throws Throwable {
      requireOpen();
      Break here = next != null && statementsLeft-- == 0 ? next : null;
      if (here == Break.BEFORE) {
        throw snap(sql, here);
      }
      Object result = call(real, method, args);
      inTransaction = !isEnd(sql) && (inTransaction || sql.startsWith("begin"));
      if (here == Break.AFTER) {
        if (result instanceof ResultSet rows) {
          exhaust(rows);
        }
        throw snap(sql, here);
      }
      return result;
    }

    private static boolean isEnd(String sql) {
      return sql.startsWith("commit") || sql.startsWith("rollback");
    }

    /** A statement that returns rows has taken effect when the last of them was fetched. */
    private static void exhaust(ResultSet rows) throws SQLException {
      try (rows) {
        boolean more = true;
        while (more) {
          more = rows.next();
        }
      }
    }

    private SQLException snap(String sql, Break where) throws SQLException {
      next = null;
      String first = sql.lines().findFirst().orElse("");
      trace.accept("    connection lost " + where + " " + first);
      hangUp();
      onBreak.run();
      return lost();
    }

    private void hangUp() throws SQLException {
      broken = true;
      if (inTransaction) {
        inTransaction = false;
        try (Statement statement = database.connection().createStatement()) {
          statement.execute("rollback");
        }
      }
    }
  }

  private static Object call(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(SimLink.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}

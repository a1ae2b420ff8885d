package dev.standpipe.faults;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * A pool of PostgreSQL connections that looks at each one when it is taken and when it comes back,
 * and notes whatever has changed meanwhile. Thread-safe.
 */
public final class ReturnedConnections implements DataSource {
  private static final String SESSION =
      """
      select name, setting from pg_settings where context in ('user', 'superuser')
      union all select 'prepared statements', count(*)::text from pg_prepared_statements
        where statement ~ 'standpipe|set_config|pg_notify'
      union all select 'channels', string_agg(c, ',') from pg_listening_channels() c
      union all select 'advisory locks', count(*)::text from pg_locks
        where locktype = 'advisory' and pid = pg_backend_pid()
      """;

  private final DataSource pool;
  private final int size;
  private final AtomicInteger returned = new AtomicInteger();
  private final AtomicInteger out = new AtomicInteger();
  private final AtomicInteger mostOut = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> changes = new ConcurrentLinkedQueue<>();

  ReturnedConnections(DataSource pool, int size) {
    this.pool = pool;
    this.size = size;
  }

  /** What was found on connections that came back, and had not been there. */
  List<String> changes() {
    return List.copyOf(changes);
  }

  /** How many have come back. */
  int returned() {
    return returned.get();
  }

  /** How many are out at present. */
  int out() {
    return out.get();
  }

  /** How many were out at a time since this was last asked. */
  int mostOut() {
    return mostOut.getAndSet(out.get());
  }

  /** As pools tell. */
  public int getMaximumPoolSize() {
    return size;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection real = pool.getConnection();
    mostOut.accumulateAndGet(out.incrementAndGet(), Math::max);
    Map<String, String> before = state(real);
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, args) -> {
              if (method.getName().equals("close") && !real.isClosed()) {
                compare(before, state(real));
                out.decrementAndGet();
                returned.incrementAndGet();
              }
              try {
                return method.invoke(real, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void compare(Map<String, String> before, Map<String, String> after) {
    after.forEach(
        (name, value) -> {
          if (!value.equals(before.get(name))) {
            changes.add(name + ": " + before.get(name) + " -> " + value);
          }
        });
  }

  private static Map<String, String> state(Connection connection) throws SQLException {
    Map<String, String> state = new TreeMap<>();
    boolean autoCommit = connection.getAutoCommit();
    state.put("auto-commit", "" + autoCommit);
    state.put("read-only", "" + connection.isReadOnly());
    state.put("network time-out", "" + connection.getNetworkTimeout());
    state.put(
        "prepare threshold", "" + connection.unwrap(PGConnection.class).getPrepareThreshold());
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SESSION)) {
      while (row.next()) {
        state.put(row.getString(1), String.valueOf(row.getString(2)));
      }
    }
    if (!autoCommit) {
      connection.commit(); // a pool may have set something in this transaction
    }
    return state;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return pool.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.isWrapperFor(type);
  }
}

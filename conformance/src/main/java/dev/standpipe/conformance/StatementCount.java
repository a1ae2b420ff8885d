package dev.standpipe.conformance;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Between a process and its database: counts the statements that pass. What reads no table and only
 * concerns the connection is not counted. Thread-safe.
 */
public final class StatementCount {
  private final DataSource source;
  private final AtomicLong statements = new AtomicLong();

  private StatementCount(DataSource source) {
    this.source = source;
  }

  /** Counts what goes to this database. */
  public static StatementCount before(DataSource source) {
    return new StatementCount(source);
  }

  /** What the process is given. */
  public DataSource dataSource() {
    return StandIn.of(
        DataSource.class,
        (self, method, args) -> {
          Object result = StandIn.call(source, method, args);
          return result instanceof Connection real
              ? StandIn.of(
                  Connection.class, (proxy, call, values) -> onConnection(real, call, values))
              : result;
        });
  }

  /** How many there were so far. */
  public long total() {
    return statements.get();
  }

  private Object onConnection(Connection real, Method method, Object[] args) throws Throwable {
    Object result = StandIn.call(real, method, args);
    if (!(result instanceof Statement statement)) {
      return result;
    }
    String prepared = args != null && args[0] instanceof String sql ? sql : "";
    return StandIn.of(
        method.getReturnType(),
        (proxy, call, values) -> {
          if (call.getName().startsWith("execute")) {
            count(values != null && values.length > 0 ? values[0].toString() : prepared);
          }
          return StandIn.call(statement, call, values);
        });
  }

  private void count(String sql) {
    String text = sql.strip().toLowerCase(Locale.ROOT);
    if (!text.startsWith("pragma")) {
      statements.incrementAndGet();
    }
  }
}

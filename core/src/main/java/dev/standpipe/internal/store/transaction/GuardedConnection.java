package dev.standpipe.internal.store.transaction;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A connection as a body gets it: the body works with it and cannot end its transaction. Whatever
 * leads back to a connection leads to this one. What the body sets on it by JDBC is set back.
 */
final class GuardedConnection {
  /** Setters whose effect would outlive the transaction, with what tells their value before. */
  private static final Map<String, String> GETTERS =
      Map.of(
          "setReadOnly", "isReadOnly",
          "setCatalog", "getCatalog",
          "setSchema", "getSchema",
          "setHoldability", "getHoldability");

  private static final Set<String> ENDING =
      Set.of("commit", "rollback", "close", "abort", "setAutoCommit");

  private static final Set<String> ENDING_WORDS =
      Set.of("commit", "rollback", "begin", "start", "end", "abort");

  private static final Pattern FIRST_WORDS =
      Pattern.compile("^(?:\\s|;|--[^\\n]*\\n|/\\*.*?\\*/)*(\\w+)(?:\\s+(\\w+))?", Pattern.DOTALL);

  private static final String OURS =
      "Standpipe commits this transaction with its step, or rolls it back: ";

  private final Connection real;
  private final boolean isolates;
  private final Connection outside;
  private final Map<String, Undo> undo = new HashMap<>();
  private final Deque<Undo> undoOrder = new ArrayDeque<>();
  private volatile boolean sealed;

  /** A setter, and what it is to set again. */
  private record Undo(Method setter, @Nullable Object before) {}

  /**
   * Guards a connection on which a transaction has begun.
   *
   * @param isolates whether the database has isolation levels, each for one transaction
   */
  GuardedConnection(Connection real, boolean isolates) {
    this.real = real;
    this.isolates = isolates;
    this.outside = proxy(Connection.class, this::onConnection);
  }

  /** The connection that the body gets. */
  Connection connection() {
    return outside;
  }

  /** Takes it away from the body. */
  void seal() {
    sealed = true;
  }

  /** Sets again what the body has changed, after the transaction has ended. */
  void restore() throws SQLException {
    while (!undoOrder.isEmpty()) {
      Undo last = undoOrder.pop();
      call(real, last.setter(), new @Nullable Object[] {last.before()});
    }
  }

  private @Nullable Object onConnection(
      Object self, Method method, @Nullable Object @Nullable [] args) throws SQLException {
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(self, name, args);
    }
    if (sealed) {
      if (name.equals("isClosed")) {
        return true;
      }
      throw over();
    }
    if (ENDING.contains(name)) {
      return ending(name, method, args);
    }
    switch (name) {
      case "getAutoCommit" -> {
        return false;
      }
      case "setTransactionIsolation" -> {
        isolate(args);
        return null;
      }
      case "unwrap", "isWrapperFor" -> {
        return unwrap(method, args);
      }
      default -> {
        if (GETTERS.containsKey(name)) {
          remember(name, method);
        }
        requireHarmless(args);
        return inside(call(real, method, args));
      }
    }
  }

  /** A rollback to a savepoint ends nothing, nor does it to turn off what is off. */
  private @Nullable Object ending(String name, Method method, @Nullable Object @Nullable [] args)
      throws SQLException {
    if (name.equals("rollback") && args != null) {
      return call(real, method, args);
    }
    if (name.equals("setAutoCommit") && args != null && Boolean.FALSE.equals(args[0])) {
      return null;
    }
    throw new SQLException(
        OURS
            + switch (name) {
              case "commit" -> "leave commit() out, and return from the body";
              case "rollback" -> "throw an exception to undo all, or roll back to a savepoint";
              case "setAutoCommit" -> "leave setAutoCommit(true) out";
              default -> "leave " + name + "() out; Standpipe gives the connection back";
            },
        "25000");
  }

  private @Nullable Object unwrap(Method method, @Nullable Object @Nullable [] args)
      throws SQLException {
    boolean wrapper = method.getName().equals("isWrapperFor");
    if (args != null
        && args[0] instanceof Class<?> type
        && type.isAssignableFrom(Connection.class)) {
      return wrapper ? (Object) true : outside;
    }
    if (args != null
        && args[0] instanceof Class<?> type
        && Connection.class.isAssignableFrom(type)) {
      if (wrapper) {
        return false;
      }
      throw new SQLException(
          OURS + "use the connection as it is, since what is inside could end the transaction",
          "25000");
    }
    return call(real, method, args);
  }

  /** For this transaction; a driver would set it for all that come after, if it did at all. */
  private void isolate(@Nullable Object @Nullable [] args) throws SQLException {
    int level = args != null && args[0] instanceof Integer given ? given : -1;
    String words =
        switch (level) {
          case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
          case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
          case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable read";
          case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
          default -> throw new SQLException("There is no isolation level " + level, "42601");
        };
    if (isolates) {
      try (Statement statement = real.createStatement()) {
        statement.execute("set transaction isolation level " + words);
      }
    }
  }

  private void remember(String setter, Method method) throws SQLException {
    if (undo.containsKey(setter)) {
      return;
    }
    try {
      Method getter = Connection.class.getMethod(String.valueOf(GETTERS.get(setter)));
      Undo before = new Undo(method, call(real, getter, null));
      undo.put(setter, before);
      undoOrder.push(before);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("Every connection has it", e);
    }
  }

  /** What a call gives that leads back to its connection is guarded too. */
  private @Nullable Object inside(@Nullable Object answer) {
    if (answer instanceof CallableStatement statement) {
      return proxy(CallableStatement.class, new Part(statement));
    }
    if (answer instanceof PreparedStatement statement) {
      return proxy(PreparedStatement.class, new Part(statement));
    }
    if (answer instanceof Statement statement) {
      return proxy(Statement.class, new Part(statement));
    }
    if (answer instanceof ResultSet rows) {
      return proxy(ResultSet.class, new Part(rows));
    }
    return answer instanceof DatabaseMetaData data
        ? proxy(DatabaseMetaData.class, new Part(data))
        : answer;
  }

  /** A statement, its rows, or what tells of the database. */
  private final class Part implements InvocationHandler {
    private final Object inside;

    Part(Object inside) {
      this.inside = inside;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] args)
        throws SQLException {
      String name = method.getName();
      if (method.getDeclaringClass() == Object.class) {
        return ofObject(self, name, args);
      }
      if (name.equals("getConnection")) {
        return outside;
      }
      if (sealed && !name.equals("close") && !name.equals("isClosed")) {
        throw over();
      }
      if (name.startsWith("execute") || name.equals("addBatch")) {
        requireHarmless(args);
      }
      return inside(call(inside, method, args));
    }
  }

  private static SQLException over() {
    return new SQLException(
        "The transaction of this step is over: use its connection only until the body returns",
        "08003");
  }

  /** Some look for the end of a transaction in JDBC, and write it as SQL. */
  private static void requireHarmless(@Nullable Object @Nullable [] args) throws SQLException {
    if (args != null && args.length > 0 && args[0] instanceof String sql) {
      Matcher words = FIRST_WORDS.matcher(sql);
      if (words.find()) {
        String first = words.group(1).toLowerCase(Locale.ROOT);
        boolean toSavepoint = first.equals("rollback") && isToSavepoint(sql);
        boolean prepares =
            first.equals("prepare") && "transaction".equalsIgnoreCase(words.group(2));
        if (prepares || (ENDING_WORDS.contains(first) && !toSavepoint)) {
          throw new SQLException(
              OURS + "leave the statement " + words.group(1) + " out of the body", "25000");
        }
      }
    }
  }

  private static boolean isToSavepoint(String sql) {
    return sql.toLowerCase(Locale.ROOT)
        .matches("(?s).*\\brollback\\b(\\s+(work|transaction))?\\s+to\\b.*");
  }

  private static @Nullable Object ofObject(
      Object self, String name, @Nullable Object @Nullable [] args) {
    return switch (name) {
      case "equals" -> args != null && self == args[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "what a transactional step writes with";
    };
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] args) throws SQLException {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof SQLException sql ? sql : new SQLException(cause);
    } catch (IllegalAccessException e) {
      throw new SQLException("The driver does not let itself be called", e);
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}

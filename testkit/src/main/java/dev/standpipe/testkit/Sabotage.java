package dev.standpipe.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Between a process and its database: changes the text of statements on their way, so that a
 * guarantee they give is gone. For tests of those who must notice. Thread-safe once it is in use.
 */
public final class Sabotage {
  private record Change(String from, String to) {}

  private final DataSource source;
  private final List<Change> changes = new ArrayList<>();

  private Sabotage(DataSource source) {
    this.source = source;
  }

  /** Before this database; changes nothing yet. */
  public static Sabotage of(DataSource source) {
    return new Sabotage(source);
  }

  /** Replaces this wherever a statement says it. */
  public Sabotage replacing(String from, String to) {
    changes.add(new Change(from, to));
    return this;
  }

  /** What the process is given. */
  public DataSource dataSource() {
    return proxy(
        DataSource.class,
        (self, method, args) -> {
          Object answer = call(source, method, args);
          return answer instanceof Connection connection
              ? proxy(Connection.class, (line, asked, values) -> on(connection, asked, values))
              : answer;
        });
  }

  private Object on(Connection connection, Method method, Object[] args) throws Throwable {
    if (method.getName().equals("prepareStatement")) {
      args[0] = changed((String) args[0]);
    }
    return call(connection, method, args);
  }

  private String changed(String sql) {
    String changed = sql;
    for (Change change : changes) {
      changed = changed.replace(change.from(), change.to());
    }
    return changed;
  }

  @SuppressWarnings("NullAway") // what a method returns may well be null
  private static Object call(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return (T)
        Proxy.newProxyInstance(Sabotage.class.getClassLoader(), new Class<?>[] {type}, handler);
  }
}

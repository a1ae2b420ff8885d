package dev.standpipe.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** Between a store and its database: notes the text of whatever is prepared. Thread-safe. */
final class Overheard {
  private final DataSource source;
  private final Set<String> texts = ConcurrentHashMap.newKeySet();

  Overheard(DataSource source) {
    this.source = source;
  }

  /** What the store is given. */
  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (self, method, args) -> {
          Object answer = call(source, method, args);
          return answer instanceof Connection connection
              ? proxy(Connection.class, (line, asked, values) -> on(connection, asked, values))
              : answer;
        });
  }

  /** Whether this was prepared. */
  boolean has(String text) {
    return texts.contains(text);
  }

  private Object on(Connection connection, Method method, Object[] args) throws Throwable {
    if (method.getName().equals("prepareStatement")) {
      texts.add((String) args[0]);
    }
    return call(connection, method, args);
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
        Proxy.newProxyInstance(Overheard.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}

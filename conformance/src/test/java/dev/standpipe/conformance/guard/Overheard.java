package dev.standpipe.conformance.guard;

import dev.standpipe.conformance.fixture.StandIn;
import java.lang.reflect.Method;
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
    return StandIn.of(
        DataSource.class,
        (self, method, args) -> {
          Object answer = StandIn.call(source, method, args);
          return answer instanceof Connection connection
              ? StandIn.of(Connection.class, (line, asked, values) -> on(connection, asked, values))
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
    return StandIn.call(connection, method, args);
  }
}

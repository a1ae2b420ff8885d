package dev.standpipe.conformance;

import java.lang.reflect.Method;
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
    return StandIn.of(
        DataSource.class,
        (self, method, args) -> {
          Object answer = StandIn.call(source, method, args);
          return answer instanceof Connection connection
              ? StandIn.of(Connection.class, (line, asked, values) -> on(connection, asked, values))
              : answer;
        });
  }

  private Object on(Connection connection, Method method, Object[] args) throws Throwable {
    if (method.getName().equals("prepareStatement")) {
      args[0] = changed((String) args[0]);
    }
    return StandIn.call(connection, method, args);
  }

  private String changed(String sql) {
    String changed = sql;
    for (Change change : changes) {
      changed = changed.replace(change.from(), change.to());
    }
    return changed;
  }
}

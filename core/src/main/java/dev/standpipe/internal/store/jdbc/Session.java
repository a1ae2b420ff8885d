package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.store.connection.EngineLink;

/** A connection on which named statements are run. Lives as long as one piece of work. */
public final class Session {
  private final EngineLink link;
  private final Dialect dialect;
  private final Sql sql;

  Session(EngineLink link, Dialect dialect, Sql sql) {
    this.link = link;
    this.dialect = dialect;
    this.sql = sql;
  }

  /** Tells its connection from others. */
  public int connectionId() {
    return System.identityHashCode(link.connection());
  }

  /** Whether its database can do this. */
  public boolean has(Capability capability) {
    return dialect.has(capability);
  }

  /** Prepares the statement of this name. */
  public Query query(String name) {
    return new Query(link, dialect, sql.get(name));
  }
}

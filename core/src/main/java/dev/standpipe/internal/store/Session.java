package dev.standpipe.internal.store;

/** A connection on which named statements are run. Lives as long as one piece of work. */
final class Session {
  private final Link link;
  private final Dialect dialect;
  private final Sql sql;

  Session(Link link, Dialect dialect, Sql sql) {
    this.link = link;
    this.dialect = dialect;
    this.sql = sql;
  }

  /** Tells its connection from others. */
  int connectionId() {
    return System.identityHashCode(link.connection());
  }

  /** Prepares the statement of this name. */
  Query query(String name) {
    return new Query(link, dialect, sql.get(name));
  }
}

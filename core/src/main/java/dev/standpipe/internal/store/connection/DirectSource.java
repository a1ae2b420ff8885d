package dev.standpipe.internal.store.connection;

import javax.sql.DataSource;

/**
 * The source behind one that gives everybody the connection of the transaction they are in. Behind
 * such a proxy a start would commit the caller's transaction, or be undone with it after its steps
 * have begun. What is to join a transaction is given its connection.
 */
public final class DirectSource {
  private static final String AWARE =
      "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";

  private DirectSource() {}

  /** The source to take connections from. */
  public static DataSource of(DataSource source) {
    return isAware(source.getClass())
            && PoolSize.ask(source, "getTargetDataSource") instanceof DataSource target
        ? of(target)
        : source;
  }

  private static boolean isAware(Class<?> type) {
    for (Class<?> one = type; one != null; one = one.getSuperclass()) {
      if (one.getName().equals(AWARE)) {
        return true;
      }
    }
    return false;
  }
}

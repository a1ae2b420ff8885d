package dev.standpipe.internal.store.connection;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;

/**
 * How many connections a source has to give: what it says, if it is a pool that is known, and what
 * it gives otherwise.
 */
public final class PoolSize {
  /** The lease's, the work's, and one that comes and goes: calls, and the one to exchange with. */
  public static final int LEAST = 3;

  /** Beyond this it does not matter. */
  private static final int ENOUGH = 8;

  /** HikariCP; Tomcat and Druid; DBCP 2; c3p0 and UCP; Vibur. */
  private static final List<String> GETTERS =
      List.of(
          "getMaximumPoolSize", "getMaxActive", "getMaxTotal", "getMaxPoolSize", "getPoolMaxSize");

  /** These open a connection for each one asked for. */
  private static final Set<String> NO_POOLS =
      Set.of(
          "org.postgresql.ds.PGSimpleDataSource",
          "org.sqlite.SQLiteDataSource",
          "org.springframework.jdbc.datasource.DriverManagerDataSource",
          "org.springframework.jdbc.datasource.SimpleDriverDataSource");

  private PoolSize() {}

  /**
   * How many connections a process that serves pipelines can count on, up to what it needs.
   *
   * @throws StandpipeException if they are too few
   * @throws StoreException if there is none at all: the database is not to be reached
   */
  public static int of(DataSource source) {
    OptionalInt said = said(source);
    int size;
    if (said.isPresent()) {
      size = said.getAsInt();
    } else {
      try {
        size = PoolProbe.count(source, LEAST, ENOUGH);
      } catch (SQLException e) {
        throw new StoreException(StoreFailure.CONNECTION, e);
      }
    }
    if (size < LEAST) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING,
          "The pool gives %d connection%s at a time, and a process that serves pipelines needs at least %d: it keeps two, and calls of the application need one. Set the size of the pool to %d and as many as your steps use at once, or to 7 and as many to be fast."
              .formatted(size, size == 1 ? "" : "s", LEAST, LEAST));
    }
    return size;
  }

  /**
   * Whether one of a source's connections may be kept beside those the engine keeps. Not if there
   * is no pool: a user who opens a connection for each call expects each to find out by itself that
   * the server is gone, and loses nothing.
   *
   * @param needed how large the pool has to be for that
   */
  public static boolean canSpareOne(DataSource source, int needed) {
    return !NO_POOLS.contains(source.getClass().getName()) && said(source).orElse(0) >= needed;
  }

  /** What a source says of itself, if anybody taught us how to ask it. */
  static OptionalInt said(DataSource source) {
    if (NO_POOLS.contains(source.getClass().getName())) {
      return OptionalInt.of(ENOUGH);
    }
    for (String getter : GETTERS) {
      if (ask(source, getter) instanceof Integer size) {
        return OptionalInt.of(size > 0 ? size : ENOUGH); // none or negative: without a limit
      }
    }
    return ask(source, "getTargetDataSource") instanceof DataSource target
        ? said(target)
        : OptionalInt.empty();
  }

  /** What a public method without parameters returns, or nothing. */
  static Object ask(DataSource source, String getter) {
    try {
      Method method = source.getClass().getMethod(getter);
      Object answer = method.invoke(source);
      return answer == null ? "" : answer;
    } catch (NoSuchMethodException
        | IllegalAccessException
        | InvocationTargetException
        | SecurityException e) {
      return "";
    }
  }
}

package dev.standpipe.conformance;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that fails whenever it is told to. Thread-safe. */
public final class FailingSource implements DataSource {
  private final DataSource source;
  private final Supplier<@Nullable SQLException> failure;

  /** Fails while there is something in this place. */
  public FailingSource(DataSource source, AtomicReference<SQLException> failure) {
    this(source, failure::get);
  }

  /** Fails whenever this has a failure, or throws. */
  public FailingSource(DataSource source, Supplier<@Nullable SQLException> failure) {
    this.source = source;
    this.failure = failure;
  }

  @Override
  public Connection getConnection() throws SQLException {
    SQLException now = failure.get();
    if (now != null) {
      throw now;
    }
    return source.getConnection();
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    source.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return source.isWrapperFor(type);
  }
}

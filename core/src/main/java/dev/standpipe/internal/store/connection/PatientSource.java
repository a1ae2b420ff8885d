package dev.standpipe.internal.store.connection;

import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A source that tries again, for its caller, while the database lets nobody in. Nothing was sent
 * yet, so any call may wait for that. Thread-safe.
 */
public final class PatientSource implements DataSource {
  private final DataSource source;
  private final Patience patience;

  /** How long a call may wait. */
  @FunctionalInterface
  public interface Patience {
    /** Opens a connection, and tries again as long as that is worthwhile. */
    Connection open(Supplier<Connection> attempt);
  }

  /** Opens connections of this source. */
  public PatientSource(DataSource source, Patience patience) {
    this.source = source;
    this.patience = patience;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return patience.open(this::attempt);
    } catch (StoreException e) {
      throw e.sql();
    }
  }

  private Connection attempt() {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw new StoreException(StoreFailure.CONNECTION, e);
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return source.getConnection(user, password);
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
    return Logger.getGlobal();
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

package dev.standpipe.internal.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds out how many connections a source gives at a time, by taking them. */
final class PoolProbe {
  /** Others may use the pool already; some pools wait for ever. */
  private static final Duration FOR_THE_LEAST = Duration.ofSeconds(10);

  private static final Duration FOR_MORE = Duration.ofMillis(500);

  private final DataSource source;
  private final List<Connection> taken = new ArrayList<>();

  private PoolProbe(DataSource source) {
    this.source = source;
  }

  /**
   * Takes connections and gives all of them back.
   *
   * @param least so many are waited for
   * @param most more are not asked for
   * @return how many there were at a time
   * @throws SQLException if there was not even one
   */
  static int count(DataSource source, int least, int most) throws SQLException {
    return new PoolProbe(source).count(least, most);
  }

  private int count(int least, int most) throws SQLException {
    try {
      taken.add(source.getConnection());
      while (taken.size() < most) {
        Connection next = next(taken.size() < least ? FOR_THE_LEAST : FOR_MORE);
        if (next == null) {
          break;
        }
        taken.add(next);
      }
      return taken.size();
    } finally {
      taken.forEach(ConnectionReturn::close);
    }
  }

  /** One more, or none if the source has none to give. One that comes too late goes back. */
  private @Nullable Connection next(Duration patience) throws SQLException {
    CompletableFuture<Connection> coming = new CompletableFuture<>();
    Thread thread = new Thread(() -> take(coming), "standpipe-pool-probe");
    thread.setDaemon(true);
    thread.start();
    try {
      return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      coming.cancel(false);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      coming.cancel(false);
      throw new SQLException("Interrupted while waiting for a connection", "57014", e);
    }
  }

  private void take(CompletableFuture<Connection> coming) {
    try {
      Connection connection = source.getConnection();
      if (!coming.complete(connection)) {
        ConnectionReturn.close(connection);
      }
    } catch (SQLException | RuntimeException e) {
      coming.completeExceptionally(e);
    }
  }
}

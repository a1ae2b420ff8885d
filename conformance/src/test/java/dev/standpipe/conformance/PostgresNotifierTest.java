package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.internal.port.Notifier;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.postgres.PostgresDialect;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notifications through a real server, from one process to another. */
@Timeout(60)
class PostgresNotifierTest {
  private static final Duration BETWEEN_RINGS = Duration.ofMillis(5);
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Notifier notifier = Notifier.SILENT;
  private Notifier other = Notifier.SILENT;

  @BeforeEach
  void hang() {
    DataSource source = PostgresServer.hasty().freshDatabase();
    notifier = on(source);
    other = on(source);
    other.listen(SOON);
  }

  private static Notifier on(DataSource source) {
    PostgresDialect dialect = new PostgresDialect();
    return dialect.notifier(
        new PooledConnections(source, dialect),
        new OwnedConnection(source, dialect),
        Tables.DEFAULT);
  }

  @AfterEach
  void takeDown() {
    notifier.close();
    other.close();
  }

  @Test
  void theNotifierSendsNothingUnrequested() {
    assertThat(notifier.sendIfRequested()).isGreaterThan(Duration.ofMinutes(1));
    assertThat(other.listen(SOON)).isFalse();
  }

  @Test
  void theNotifierSendsTheFirstRequestAtOnce() {
    assertThat(notifier.request()).isTrue();
    notifier.sendIfRequested();
    assertThat(other.listen(PATIENCE)).isTrue();
  }

  @Test
  void wakingAListenerDisturbsNoOther() {
    notifier.listen(SOON);
    notifier.wakeListener();
    notifier.sendIfRequested();
    long began = System.nanoTime();
    assertThat(notifier.listen(PATIENCE)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PATIENCE);
    assertThat(other.listen(SOON)).isFalse();
  }

  @Test
  void theNotifierBundlesManyRequests() {
    long began = System.nanoTime();
    Duration elapsed = Duration.ZERO;
    int rung = 0;
    while (rung < 2 || elapsed.compareTo(Duration.ofMillis(200)) < 0) {
      rung += notifier.request() ? 1 : 0; // the first to ask since the last ring
      notifier.sendIfRequested();
      elapsed = Duration.ofNanos(System.nanoTime() - began);
    }
    assertThat(rung).isLessThanOrEqualTo(2 + (int) (elapsed.toMillis() / BETWEEN_RINGS.toMillis()));
    assertThat(other.listen(PATIENCE)).isTrue();
  }
}

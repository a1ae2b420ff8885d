package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.postgres.PostgresDialect;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** F45, seen from a single connection: what is set on it, and what it is like when it goes back. */
class F45ConnectionsTest {
  private final String url = PostgresServer.hasty().freshJdbcUrl();
  private final DataSource plain = PostgresServer.dataSource(url);

  /** Whatever the server's defaults are; a server that compiles all it gets takes seconds each. */
  @Test
  void aBorrowedConnectionIsConfiguredPerTransaction() throws SQLException {
    String strict = "-c default_transaction_isolation=serializable -c jit=on -c jit_above_cost=0";
    PostgresDialect dialect = new PostgresDialect();
    ReturnedConnections source =
        new ReturnedConnections(PostgresServer.dataSource(url + UsersPool.options(strict)), 1);
    String look =
        "select current_setting('jit') || ' ' || current_setting('transaction_isolation')";
    PooledConnections borrowed = new PooledConnections(source, dialect);
    assertThat(first(borrowed, look)).isEqualTo("off read committed");
    assertThatThrownBy(() -> first(borrowed, "select (1 / 0)::text"))
        .isInstanceOf(SQLException.class);
    String together =
        borrowed.use(
            link -> {
              link.begin();
              String seen = first(link, "select 'first'") + " " + first(link, look);
              link.rollback();
              return seen + ", " + first(link, look);
            });
    assertThat(together).isEqualTo("first off read committed, off read committed");
    assertThat(source.changes()).isEmpty();
    assertThat(source.out()).isZero();
  }

  private static String first(Connections connections, String sql) throws SQLException {
    return connections.use(link -> first(link, sql));
  }

  private static String first(EngineLink link, String sql) throws SQLException {
    try (EngineLink.Prepared prepared = link.prepare(sql);
        ResultSet row = prepared.rows()) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void anExchangedConnectionReturnsUnchanged() throws SQLException {
    ReturnedConnections source = new ReturnedConnections(plain, 10);
    try (OwnedConnection kept = new OwnedConnection(source, new PostgresDialect())) {
      String pid = "select pg_backend_pid()::text";
      String before = first(kept, pid);
      assertThat(first(kept, "show enable_seqscan")).isEqualTo("off");
      kept.exchange(Duration.ZERO);
      assertThat(first(kept, pid)).isNotEqualTo(before);
      assertThat(source.returned()).isOne();
      assertThat(source.out()).isOne();
    }
    assertThat(source.out()).isZero();
    assertThat(source.changes()).isEmpty();
  }

  @Test
  void aConnectionStaysIfThePoolHasNoOther() throws SQLException {
    try (HikariDataSource pool = PostgresServer.pool(plain, 1, Duration.ofMillis(250));
        OwnedConnection kept = new OwnedConnection(pool, new PostgresDialect())) {
      kept.connect();
      assertThatThrownBy(() -> kept.exchange(Duration.ZERO)).isInstanceOf(SQLException.class);
      assertThat(kept.isOpen()).isTrue();
      assertThat(first(kept, "select 'works'")).isEqualTo("works");
    }
  }

  @Test
  void anSqliteConnectionReturnsUnchanged() throws SQLException {
    try (SqliteFile file = SqliteFile.create();
        Connection connection = file.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 77");
      statement.execute("pragma synchronous = normal");
      connection.setAutoCommit(false);
      EngineLink link = new SqliteDialect().borrow(connection);
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(first(link, "pragma busy_timeout")).isEqualTo("30000");
      link.restore();
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(first(link, "pragma busy_timeout")).isEqualTo("77");
      assertThat(first(link, "pragma synchronous")).isEqualTo("1");
    }
  }
}

package dev.standpipe.faults;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.conformance.server.PostgresServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** Pools as people set them up. */
enum UsersPool {
  HIKARI_REPEATABLE_READ {
    @Override
    DataSource on(String url) {
      HikariConfig config = hikari(url);
      config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
      config.setConnectionInitSql("set jit = on; set enable_seqscan = on; set work_mem = '5MB'");
      return new HikariDataSource(config);
    }
  },
  HIKARI_WITHOUT_AUTO_COMMIT {
    @Override
    DataSource on(String url) {
      HikariConfig config = hikari(url + options("-c default_transaction_isolation=serializable"));
      config.setAutoCommit(false);
      config.setReadOnly(true);
      config.setSchema("public");
      return new HikariDataSource(config);
    }
  },
  TOMCAT_WITHOUT_AUTO_COMMIT {
    @Override
    DataSource on(String url) {
      var pool = new org.apache.tomcat.jdbc.pool.DataSource();
      pool.setUrl(url);
      pool.setDriverClassName("org.postgresql.Driver");
      pool.setDefaultAutoCommit(false);
      pool.setMaxActive(SIZE);
      pool.setTestOnBorrow(true);
      pool.setValidationQuery("select 1");
      pool.setValidationInterval(0);
      return pool;
    }
  },
  DBCP_SERIALIZABLE_WITHOUT_PREPARING {
    @Override
    DataSource on(String url) {
      BasicDataSource pool = new BasicDataSource();
      pool.setUrl(url + "&prepareThreshold=0");
      pool.setDefaultTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      pool.setMaxTotal(SIZE);
      pool.setPoolPreparedStatements(true);
      return pool;
    }
  },
  NONE {
    @Override
    DataSource on(String url) {
      return PostgresServer.dataSource(url);
    }
  };

  static final int SIZE = 8;

  abstract DataSource on(String url);

  private static HikariConfig hikari(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(SIZE);
    config.setMinimumIdle(1);
    return config;
  }

  /** Options for the server, as part of an address. */
  static String options(String text) {
    return "&options=" + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

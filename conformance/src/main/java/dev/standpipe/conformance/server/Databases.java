package dev.standpipe.conformance.server;

import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** Databases by their address, as a child process gets it. */
public final class Databases {
  private Databases() {}

  /** A source that opens a connection for each one asked for. */
  public static DataSource source(String jdbcUrl) {
    if (jdbcUrl.startsWith("jdbc:sqlite:")) {
      SQLiteDataSource sqlite = new SQLiteDataSource();
      sqlite.setUrl(jdbcUrl);
      return sqlite;
    }
    return PostgresServer.dataSource(jdbcUrl);
  }
}

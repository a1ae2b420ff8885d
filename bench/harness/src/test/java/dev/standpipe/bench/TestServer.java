package dev.standpipe.bench;

import dev.standpipe.bench.server.OwnServer;
import dev.standpipe.bench.server.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A database server for the tests of this module, started once. */
public final class TestServer {
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final Server SERVER = start();

  private TestServer() {}

  private static Server start() {
    try {
      return OwnServer.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The address of an empty database. */
  public static String emptyDatabase() throws SQLException {
    return SERVER.create("test_" + DATABASES.incrementAndGet());
  }

  /** The server. */
  public static Server server() {
    return SERVER;
  }

  /** A number out of a database. */
  public static long number(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}

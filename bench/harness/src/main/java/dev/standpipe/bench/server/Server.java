package dev.standpipe.bench.server;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PostgreSQL server on which the contenders get a fresh database for every round. Thread-safe.
 *
 * @param url a database of the server's that contenders never touch
 * @param stop stops it, if it is ours
 */
public record Server(String url, Stop stop) implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("(jdbc:postgresql:(?://[^/]*/)?)([^?]*)(.*)");

  public Server {
    if (!URL.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "Not the address of a PostgreSQL database: "
              + url
              + ". Give one like jdbc:postgresql://host:5432/postgres?user=u&password=p");
    }
  }

  /** A server that somebody else runs. */
  public static Server at(String url) {
    return new Server(url, () -> {});
  }

  /** Opens a connection to the database that contenders never touch. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  /** Makes an empty database and returns its address. */
  public String create(String database) throws SQLException {
    execute("create database " + database);
    return urlOf(database);
  }

  /** Removes a database, whoever is still connected. */
  public void drop(String database) throws SQLException {
    execute("drop database if exists " + database + " with (force)");
  }

  /** The address of a database. */
  public String urlOf(String database) {
    Matcher parts = URL.matcher(url);
    return parts.matches() ? parts.group(1) + database + parts.group(3) : url;
  }

  private void execute(String sql) throws SQLException {
    execute(url, sql);
  }

  /** Executes a statement in a database. */
  public void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws IOException {
    stop.run();
  }

  /** Stops a server. */
  @FunctionalInterface
  public interface Stop {
    /** Stops it. */
    void run() throws IOException;
  }
}

package dev.standpipe.cli.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/**
 * Where a database is and how to get in. Workers are told through their environment, which other
 * users of the machine cannot read, unlike a command line.
 *
 * @param url a JDBC URL
 * @param user the user, if not part of the URL
 * @param password the password, if not part of the URL
 */
public record Address(String url, Optional<String> user, Optional<String> password) {
  static final String POSTGRES = "jdbc:postgresql:";
  static final String SQLITE = "jdbc:sqlite:";

  /** The environment variable with the password. */
  public static final String PASSWORD_VARIABLE = "STANDPIPE_PASSWORD";

  private static final String URL_VARIABLE = "STANDPIPE_URL";
  private static final String USER_VARIABLE = "STANDPIPE_USER";
  private static final int POOL = 10;

  /** A database that needs no more than its URL. */
  public static Address of(String url) {
    return new Address(url, Optional.empty(), Optional.empty());
  }

  /** What {@link #writeTo} has put there. */
  public static Address readFrom(Map<String, String> environment) {
    return new Address(
        environment.getOrDefault(URL_VARIABLE, ""),
        Optional.ofNullable(environment.get(USER_VARIABLE)),
        Optional.ofNullable(environment.get(PASSWORD_VARIABLE)));
  }

  /** Puts it where {@link #readFrom} finds it. */
  public void writeTo(Map<String, String> environment) {
    environment.put(URL_VARIABLE, url);
    user.ifPresent(name -> environment.put(USER_VARIABLE, name));
    password.ifPresent(secret -> environment.put(PASSWORD_VARIABLE, secret));
  }

  /** Whether it is an SQLite database. */
  public boolean isSqlite() {
    return url.startsWith(SQLITE);
  }

  /** The file of an SQLite database that is given as a plain path. */
  public Optional<Path> sqliteFile() {
    String file = isSqlite() ? url.substring(SQLITE.length()).replaceFirst("[?].*", "") : "";
    return file.isEmpty() || file.startsWith("file:") || file.startsWith(":")
        ? Optional.empty()
        : Optional.of(Path.of(file));
  }

  /** One connection, for those who need no more. */
  public Connection connect() throws SQLException {
    Properties login = new Properties();
    user.ifPresent(name -> login.setProperty("user", name));
    password.ifPresent(secret -> login.setProperty("password", secret));
    return DriverManager.getConnection(url, login);
  }

  /** As many connections as a process needs: pooled, except for SQLite, where they cost nothing. */
  public DataSource open() {
    if (isSqlite()) {
      SQLiteDataSource source = new SQLiteDataSource();
      source.setUrl(url);
      return source;
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    user.ifPresent(config::setUsername);
    password.ifPresent(config::setPassword);
    config.setMaximumPoolSize(POOL);
    config.setMinimumIdle(1);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  /** Without the parameters, which may hold a password. */
  public String shown() {
    return url.replaceFirst("[?].*", "").replaceFirst("//[^/@]*@", "//");
  }

  /** Keeps passwords out of logs. */
  @Override
  public String toString() {
    return shown();
  }
}

package dev.standpipe.cli.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.internal.Secrets;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
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
  private static final String FILE_URI = "file:";

  /** The environment variable with the password. */
  public static final String PASSWORD_VARIABLE = "STANDPIPE_PASSWORD";

  private static final String URL_VARIABLE = "STANDPIPE_URL";
  private static final String USER_VARIABLE = "STANDPIPE_USER";
  private static final int POOL = 10;

  /** A database that needs no more than its URL. */
  public static Address of(String url) {
    return new Address(url, Optional.empty(), Optional.empty());
  }

  /** What the user has said, and for the rest the environment; nothing if there is no URL. */
  public static Optional<Address> given(
      @Nullable String url, @Nullable String user, @Nullable String password) {
    return given(url, user, password, System.getenv());
  }

  static Optional<Address> given(
      @Nullable String url,
      @Nullable String user,
      @Nullable String password,
      Map<String, String> variables) {
    Address environment = readFrom(variables);
    String where = url == null ? environment.url() : url;
    return where.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Address(
                where,
                Optional.ofNullable(user).or(environment::user),
                Optional.ofNullable(password).or(environment::password)));
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

  /** The file of an SQLite database, given as a path or as a URI; none if it is in memory. */
  public Optional<Path> sqliteFile() {
    String file = isSqlite() ? url.substring(SQLITE.length()).replaceFirst("[?].*", "") : "";
    String path =
        file.startsWith(FILE_URI)
            ? URLDecoder.decode(
                file.substring(FILE_URI.length())
                    .replaceFirst("^//[^/]*", "")
                    .replaceFirst("#.*", "")
                    .replace("+", "%2B"),
                StandardCharsets.UTF_8)
            : file;
    return path.isEmpty() || path.startsWith(":") || url.contains("mode=memory")
        ? Optional.empty()
        : Optional.of(Path.of(path));
  }

  /** One connection, for those who need no more. */
  public Connection connect() throws SQLException {
    Properties login = new Properties();
    user.ifPresent(name -> login.setProperty("user", name));
    password.ifPresent(secret -> login.setProperty("password", secret));
    return DriverManager.getConnection(url, login);
  }

  /** A connection for each question, for those who ask few. */
  public DataSource single() {
    if (isSqlite()) {
      return open();
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    user.ifPresent(source::setUser);
    password.ifPresent(source::setPassword);
    return source;
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
    return Secrets.hidden(url).replaceFirst("[?].*", "").replaceFirst("//.*@", "//");
  }

  /** Keeps passwords out of logs. */
  @Override
  public String toString() {
    return shown();
  }
}

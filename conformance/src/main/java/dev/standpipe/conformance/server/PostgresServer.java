package dev.standpipe.conformance.server;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.internal.store.jdbc.Tables;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server that runs as a child of this JVM and syncs every commit to disk, as one in
 * production does. {@link #shared()} is for tests that only need a database of their own; a test
 * that kills its server starts one for itself. {@link #hasty()} is the exception: it leaves the
 * disk to the operating system, which is as good as any to a test of what statements do.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String EMPTY = "template1";
  private static final String MIGRATED = "migrated";

  private final Path directory;
  private final boolean syncs;
  private final AtomicInteger databases = new AtomicInteger();
  private final AutoCloseable leftover = this::abandon;
  private boolean hasTemplate;
  private EmbeddedPostgres server;

  private PostgresServer(Path directory, boolean syncs) throws IOException {
    this.directory = directory;
    this.syncs = syncs;
    Leftovers.add(leftover);
    this.server = launch(0);
  }

  /** The one server of this JVM, started when first asked for. Nobody may kill it. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /**
   * One that answers before anything is on disk, started when first asked for. Statements, locks
   * and plans are the same; what a crash would leave is not, so nobody may kill it.
   */
  public static PostgresServer hasty() {
    return Hasty.SERVER;
  }

  /** A server of one's own. */
  public static PostgresServer start() {
    return start(true);
  }

  private static PostgresServer start(boolean syncs) {
    try {
      return new PostgresServer(Files.createTempDirectory("standpipe-postgres"), syncs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server of one's own with its data in this directory, which goes with it. */
  public static PostgresServer startIn(Path directory) {
    try {
      return new PostgresServer(directory, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * One more server with all that this one has committed so far: an asynchronous replica that was
   * cut off at this moment and promoted.
   */
  public PostgresServer promotedCopy() {
    return copy(false);
  }

  /** One more server with all that this one has committed so far, and which takes no writes. */
  public PostgresServer standbyCopy() {
    return copy(true);
  }

  /** What PostgreSQL calls a base backup, by hand: the log goes last. */
  private PostgresServer copy(boolean standby) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      Path elsewhere = Files.createTempDirectory("standpipe-postgres");
      Path data = Files.createDirectory(elsewhere.resolve("data"));
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
      statement.execute("select pg_backup_start('copy', true)");
      copyTree(dataDirectory(), data, file -> !file.startsWith("pg_wal"));
      try (ResultSet row = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
        row.next();
        Files.writeString(data.resolve("backup_label"), row.getString(1));
      }
      copyTree(dataDirectory(), data, file -> file.startsWith("pg_wal"));
      if (standby) {
        Files.createFile(data.resolve("standby.signal"));
      }
      return new PostgresServer(elsewhere, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot copy the server", e);
    }
  }

  private static void copyTree(Path from, Path to, Predicate<Path> which) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.map(from::relativize).filter(which).toList()) {
        Path copy = to.resolve(file.toString());
        if (Files.isDirectory(from.resolve(file)) && !Files.isDirectory(copy)) {
          Files.createDirectory(copy);
        } else if (Files.isRegularFile(from.resolve(file)) && !file.startsWith("postmaster.pid")) {
          Files.copy(from.resolve(file), copy);
        }
      }
    }
  }

  /** An empty database of its own; opens a connection for each one asked for. */
  public DataSource freshDatabase() {
    return dataSource(freshJdbcUrl());
  }

  /** How to connect to an empty database from any process. */
  public String freshJdbcUrl() {
    return create(freshName(), EMPTY);
  }

  /** A database of its own with Standpipe's tables, and nothing in them. */
  public DataSource migratedDatabase() {
    prepareTemplate();
    return dataSource(create(freshName(), MIGRATED));
  }

  /** Migrates once for all: a copy is made in a fraction of the time. */
  private synchronized void prepareTemplate() {
    if (!hasTemplate) {
      StoreFixture.migrate(dataSource(create(MIGRATED, EMPTY)), Tables.DEFAULT);
      hasTemplate = true;
    }
  }

  private String freshName() {
    return "test_" + databases.incrementAndGet();
  }

  private String create(String name, String template) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name + " template " + template + strategy());
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot create database " + name, e);
    }
    return "jdbc:postgresql://localhost:" + port() + "/" + name + "?user=postgres";
  }

  /** Without syncs it takes half the time to copy the files as to log their pages. */
  private String strategy() {
    return syncs ? "" : " strategy file_copy";
  }

  /** A source that opens a connection for each one asked for. */
  public static DataSource dataSource(String jdbcUrl) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl);
    return source;
  }

  /** A pool of at most so many connections, which has one to give within this time or fails. */
  public static HikariDataSource pool(DataSource source, int size, Duration patience) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(patience.toMillis());
    return new HikariDataSource(config);
  }

  /** The port, which stays the same over restarts. */
  public int port() {
    return server.getPort();
  }

  /** Kills the server without a chance to write anything, as a power cut would. */
  public void kill() {
    ProcessHandle postmaster =
        postmaster().orElseThrow(() -> new IllegalStateException("The server does not run"));
    kill(List.of(postmaster));
  }

  private static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    await().atMost(PATIENCE).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  private Path dataDirectory() {
    return directory.resolve("data");
  }

  /** Stops the server, moves its write-ahead log into this directory, and starts it again. */
  public void moveLogTo(Path elsewhere) {
    release();
    Path log = dataDirectory().resolve("pg_wal");
    Path moved = elsewhere.resolve("pg_wal");
    try (Stream<Path> files = Files.walk(log)) {
      for (Path file : files.toList()) {
        Files.copy(file, moved.resolve(log.relativize(file).toString()));
      }
      SqliteFile.deleteTree(log);
      Files.createSymbolicLink(log, moved);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    launchAgain();
  }

  /** Waits until the server is back after it crashed; starts it if it went down altogether. */
  public void recover() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(
            () -> {
              if (!isRunning()) {
                restart();
              }
              server.getPostgresDatabase().getConnection().close();
              return true;
            });
  }

  private boolean isRunning() {
    return postmaster().isPresent();
  }

  /** Starts the server again after {@link #kill()}, on the same data and the same port. */
  public void restart() {
    release();
    launchAgain();
  }

  private void launchAgain() {
    int port = port();
    // the backends of a killed server hold its shared memory until they notice
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(
            () -> {
              server = launch(port);
              return true;
            });
  }

  @Override
  public void close() {
    release();
    SqliteFile.deleteTree(directory);
    Leftovers.remove(leftover);
  }

  /**
   * Kills the server and all that serves in it: nobody needs its data any more, and a clean stop
   * would first write all of it to disk. The files of a thousand databases take long to delete:
   * this JVM does not wait for that.
   */
  private void abandon() throws IOException {
    postmaster()
        .map(one -> Stream.concat(Stream.of(one), one.children()).toList())
        .ifPresent(PostgresServer::kill);
    new ProcessBuilder("rm", "-rf", directory.toString()).start();
  }

  private void release() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server that was killed leaves its number behind, which may be another process's by now. */
  private Optional<ProcessHandle> postmaster() {
    Path file = dataDirectory().resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0).strip()))
          .filter(process -> process.info().command().orElse("").endsWith("postgres"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EmbeddedPostgres launch(int port) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(dataDirectory())
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false) // it would wait for a clean stop; see abandon
            .setServerConfig("unix_socket_directories", "") // a file of a killed server stays
            .setPGStartupWait(PATIENCE)
            .setLocaleConfig("locale", "C")
            .setServerConfig("fsync", syncs ? "on" : "off")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on");
    if (!syncs) {
      // its databases are many and short-lived: to visit each in turn takes longer than their tests
      builder.setServerConfig("autovacuum_naptime", "1h");
    }
    if (port != 0) {
      builder.setPort(port);
    }
    return builder.start();
  }

  private static final class Shared {
    static final PostgresServer SERVER = start();
  }

  private static final class Hasty {
    static final PostgresServer SERVER = start(false);
  }
}

package dev.standpipe.conformance.server;

import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.internal.store.jdbc.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A SQLite database in a directory of its own, which goes when this is closed. */
public final class SqliteFile implements AutoCloseable {
  private final Path directory;

  private SqliteFile(Path directory) {
    this.directory = directory;
    Leftovers.add(this);
  }

  /** An empty database. */
  public static SqliteFile create() {
    try {
      return new SqliteFile(Files.createTempDirectory("standpipe-sqlite"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A database with Standpipe's tables, and nothing in them. */
  public static SqliteFile migrated() {
    SqliteFile copy = create();
    try {
      Files.write(copy.path(), Migrated.FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  /** Where the file is. */
  public Path path() {
    return directory.resolve("standpipe.db");
  }

  /** How to connect to it from any process. */
  public String jdbcUrl() {
    return "jdbc:sqlite:" + path();
  }

  /** Opens a connection of its own for each one asked for. */
  public DataSource dataSource() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(jdbcUrl());
    return source;
  }

  @Override
  public void close() {
    deleteTree(directory);
    Leftovers.remove(this);
  }

  static void deleteTree(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Migrated once for all: a copy is made in a fraction of the time. */
  private static final class Migrated {
    static final byte[] FILE = read();

    private static byte[] read() {
      try (SqliteFile file = create()) {
        StoreFixture.migrate(file.dataSource(), Tables.DEFAULT);
        return Files.readAllBytes(file.path());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

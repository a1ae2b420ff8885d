package dev.standpipe.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The database of an example: the JDBC URL it was given, or a fresh SQLite file. */
final class Database {
  private Database() {}

  static HikariDataSource open(String... args) throws IOException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args.length > 0 ? args[0] : "jdbc:sqlite:" + freshFile());
    return new HikariDataSource(config);
  }

  private static Path freshFile() throws IOException {
    Path directory = Files.createTempDirectory("standpipe-example");
    Path file = directory.resolve("example.db");
    directory.toFile().deleteOnExit(); // what comes first goes last
    file.toFile().deleteOnExit();
    return file;
  }
}

package dev.standpipe.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * A database of the user's. The demo's tables have a prefix nobody else uses and are dropped at the
 * end; nothing else in it is touched. An SQLite file that was not there before goes as a whole.
 */
record GivenDatabase(Address address, String tablePrefix, Optional<Path> newFile)
    implements DemoDatabase {

  static GivenDatabase at(Address address) {
    String random = UUID.randomUUID().toString().substring(0, 8);
    Optional<Path> newFile = address.sqliteFile().filter(Files::notExists);
    return new GivenDatabase(address, "demo_" + random + "_", newFile);
  }

  @Override
  public String name() {
    return address.isSqlite() ? "sqlite" : "postgres";
  }

  @Override
  public void close() {
    try {
      if (newFile.isPresent()) {
        deleteFile(newFile.get());
      } else {
        DemoTables.drop(address, tablePrefix);
      }
    } catch (SQLException | IOException e) {
      System.err.printf(
          "standpipe: the tables %s* could not be dropped: %s. Drop them yourself.%n",
          tablePrefix, e.getMessage());
    }
  }

  private static void deleteFile(Path file) throws IOException {
    for (String suffix : new String[] {"", "-wal", "-shm"}) {
      Files.deleteIfExists(Path.of(file + suffix));
    }
  }
}

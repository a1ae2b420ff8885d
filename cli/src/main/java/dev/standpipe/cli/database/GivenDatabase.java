package dev.standpipe.cli.database;

import dev.standpipe.internal.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A database of the user's. Our tables have a prefix nobody else uses and are dropped at the end;
 * nothing else in it is touched. An SQLite file that was not there before goes as a whole.
 */
public record GivenDatabase(Address address, String tablePrefix, Optional<Path> newFile)
    implements OwnDatabase {

  /** Tables of its own whose names start with this word. */
  public static GivenDatabase at(Address address, String word) {
    String random = UUID.randomUUID().toString().substring(0, 8);
    Optional<Path> newFile = address.sqliteFile().filter(Files::notExists);
    return new GivenDatabase(address, word + "_" + random + "_", newFile);
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
        drop();
      }
    } catch (SQLException | IOException e) {
      System.err.printf(
          "standpipe: the tables %s* could not be dropped: %s. Drop them yourself.%n",
          tablePrefix, Secrets.hidden(String.valueOf(e.getMessage())));
    }
  }

  private static void deleteFile(Path file) throws IOException {
    for (String suffix : new String[] {"", "-wal", "-shm"}) {
      Files.deleteIfExists(Path.of(file + suffix));
    }
  }

  /** Drops everything whose name starts with the prefix, by what the database says there is. */
  private void drop() throws SQLException {
    try (Connection connection = address.connect();
        Statement statement = connection.createStatement()) {
      if (address.isSqlite()) {
        statement.execute("pragma busy_timeout = 10000");
      }
      String referred = address.isSqlite() ? "" : " cascade"; // tables refer to each other
      for (String kind : List.of("VIEW", "TABLE", "SEQUENCE")) {
        for (String name : named(connection, kind, tablePrefix)) {
          statement.execute("drop " + kind + " if exists " + name + referred);
        }
      }
    }
  }

  private static List<String> named(Connection connection, String kind, String prefix)
      throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet row =
        connection
            .getMetaData()
            .getTables(null, connection.getSchema(), "%", new String[] {kind})) {
      while (row.next()) {
        String name = row.getString("TABLE_NAME");
        if (name.startsWith(prefix)) {
          names.add(name);
        }
      }
    }
    return names;
  }
}

package dev.standpipe.cli.database;

import java.nio.file.Path;

/** An SQLite file in a directory of one's own, which goes with it. */
public record TemporarySqlite(Address address) implements OwnDatabase {
  /** A file in this directory. */
  public static TemporarySqlite in(Path directory) {
    return new TemporarySqlite(Address.of(Address.SQLITE + directory.resolve("standpipe.db")));
  }

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public String tablePrefix() {
    return "standpipe_";
  }

  @Override
  public void close() {
    // the directory is deleted as a whole
  }
}

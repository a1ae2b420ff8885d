package dev.standpipe.cli.demo;

import java.nio.file.Path;

/** An SQLite file in the demo's own directory, which goes with it. */
record TemporarySqlite(Address address) implements DemoDatabase {
  static TemporarySqlite in(Path directory) {
    return new TemporarySqlite(Address.of(Address.SQLITE + directory.resolve("demo.db")));
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

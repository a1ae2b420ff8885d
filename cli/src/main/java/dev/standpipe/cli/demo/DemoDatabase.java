package dev.standpipe.cli.demo;

/** The database of one demo. Closing it leaves nothing behind. */
sealed interface DemoDatabase extends AutoCloseable
    permits TemporarySqlite, EmbeddedServer, GivenDatabase {
  /** What people call it. */
  String name();

  /** How to reach it. */
  Address address();

  /** What the names of the demo's tables start with. */
  String tablePrefix();

  @Override
  void close();
}

package dev.standpipe.cli.database;

/** A database, or part of one, that a command has to itself. Closing it leaves nothing behind. */
public sealed interface OwnDatabase extends AutoCloseable
    permits TemporarySqlite, EmbeddedServer, GivenDatabase {
  /** What people call it. */
  String name();

  /** How to reach it. */
  Address address();

  /** What the names of the tables start with. */
  String tablePrefix();

  @Override
  void close();
}

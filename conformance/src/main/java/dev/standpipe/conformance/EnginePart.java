package dev.standpipe.conformance;

import javax.sql.DataSource;

/** What the parts of {@link EngineContract} work with. */
interface EnginePart {
  /** The database of the test and its processes. */
  EngineFixture engine();

  /** A database with nothing in it, different for every call. */
  DataSource emptyDatabase();
}

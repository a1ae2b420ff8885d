package dev.standpipe.conformance;

import javax.sql.DataSource;

/** What the parts of {@link StoreContract} work with. */
interface StorePart {
  /** The database of the test. */
  StoreFixture db();

  /** A database with nothing in it, different for every call. */
  DataSource emptyDatabase();
}

/**
 * What the engine asks of a database. A {@link dev.standpipe.internal.port.Store} speaks in sets:
 * one call is one transaction for any number of rows. It decides nothing; the engine works out what
 * follows from an outcome before it calls.
 *
 * <p>The store guards I2 and I3: every write carries the token of its task, and changes nothing if
 * the row has a newer one. The exception of a failed call says whether the call may have taken
 * effect ({@link dev.standpipe.internal.port.StoreFailure}).
 */
@NullMarked
package dev.standpipe.internal.port;

import org.jspecify.annotations.NullMarked;

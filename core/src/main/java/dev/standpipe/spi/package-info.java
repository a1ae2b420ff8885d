/**
 * What can be plugged in: a store per kind of database, the codec of step values, and listeners.
 *
 * <p>A {@link dev.standpipe.spi.Store} speaks in sets: one call is one transaction for any number
 * of rows. It decides nothing; what follows from an outcome is computed before it is called. What
 * it guards is in its Javadoc, and {@code StoreContract} of the testkit checks it on every
 * database.
 */
@NullMarked
package dev.standpipe.spi;

import org.jspecify.annotations.NullMarked;

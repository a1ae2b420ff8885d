/**
 * What a caller of the API reaches: runs are started, awaited and read.
 *
 * <p>{@link dev.standpipe.internal.engine.client.Service} is behind {@link
 * dev.standpipe.Standpipe}. Every call passes {@link
 * dev.standpipe.internal.engine.client.ApiBoundary}, where a failure of the store becomes an
 * exception that callers can name, and {@link dev.standpipe.internal.engine.client.OutageRetry},
 * which waits out an outage of the database. A call that writes is sent again only after a look has
 * shown that it did not take effect (I1).
 */
@NullMarked
package dev.standpipe.internal.engine.client;

import org.jspecify.annotations.NullMarked;

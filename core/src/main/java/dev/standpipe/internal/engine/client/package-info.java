/**
 * Behind the API: callers start, await and read runs.
 *
 * <p>{@link dev.standpipe.internal.engine.client.Service} is behind {@link
 * dev.standpipe.Standpipe}; {@link dev.standpipe.internal.engine.client.Starter} starts runs, and
 * {@link dev.standpipe.internal.engine.client.RunHandles} finds them. Every call passes {@link
 * dev.standpipe.internal.engine.client.ApiBoundary}, where a failure of the store becomes an
 * exception that callers can name, and {@link dev.standpipe.internal.engine.client.OutageRetry},
 * which waits out an outage of the database. A call that writes is sent again only after a look has
 * shown that it did not take effect (I1).
 */
@NullMarked
package dev.standpipe.internal.engine.client;

import org.jspecify.annotations.NullMarked;

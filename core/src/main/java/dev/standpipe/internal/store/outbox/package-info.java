/** The outbox over JDBC: events as steps and transactions write them, and as relays read them. */
@NullMarked
package dev.standpipe.internal.store.outbox;

import org.jspecify.annotations.NullMarked;

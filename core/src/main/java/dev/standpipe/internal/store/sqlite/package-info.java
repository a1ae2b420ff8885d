/**
 * SQLite, embedded: write-ahead log, every commit synced, one writer at a time.
 *
 * <p>A write transaction begins with BEGIN IMMEDIATE, so it waits for its turn before it has read
 * anything and never has to start over. There is no row lock to skip: whoever writes is alone.
 */
@NullMarked
package dev.standpipe.internal.store.sqlite;

import org.jspecify.annotations.NullMarked;

/**
 * SQLite 3.42 and newer, embedded: write-ahead log, every commit synced, one writer at a time.
 *
 * <p>A write transaction begins with BEGIN IMMEDIATE, so it waits for its turn before it has read
 * anything and never has to start over. There is no row lock to skip: one transaction writes at a
 * time.
 *
 * <p>A set of rows is one JSON parameter that {@code jsonb_each} takes apart, in half the time of
 * {@code json_each}, which writes every row out as text and has each column parse it again.
 */
@NullMarked
package dev.standpipe.internal.store.sqlite;

import org.jspecify.annotations.NullMarked;

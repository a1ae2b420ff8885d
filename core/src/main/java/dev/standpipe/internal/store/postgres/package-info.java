/**
 * PostgreSQL 13 and newer.
 *
 * <p>A claim locks its candidates with SKIP LOCKED and updates them by row address, from an array
 * that is computed once, so that no plan can take more than was asked for. A settlement of chained
 * steps is one statement in one round trip.
 */
@NullMarked
package dev.standpipe.internal.store.postgres;

import org.jspecify.annotations.NullMarked;

/**
 * Tasks of several runs that share one row: the first tasks of runs that are started together, on
 * databases where that pays. Whatever becomes of one of them that is not a plain success first
 * gives all in its row rows of their own, so that no other statement has to know of them. See
 * {@code docs/decisions/020}.
 */
@NullMarked
package dev.standpipe.internal.store.sharedrows;

import org.jspecify.annotations.NullMarked;

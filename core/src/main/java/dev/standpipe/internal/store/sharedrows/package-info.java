/**
 * Tasks of several runs that share one row: the first tasks of runs that are started together, on
 * databases where that pays. Whatever becomes of one of them that is not a plain success first
 * gives all in its row rows of their own, so that no other statement has to know of them. Nobody
 * outside of this package knows where such a task is: it is a {@link
 * dev.standpipe.internal.port.TaskRef} that is handed out and handed back. See {@code
 * docs/decisions/020} and {@code 028}.
 */
@NullMarked
package dev.standpipe.internal.store.sharedrows;

import org.jspecify.annotations.NullMarked;

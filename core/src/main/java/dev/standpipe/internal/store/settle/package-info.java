/**
 * Settling batches of steps (I2, I3, I5). {@link dev.standpipe.internal.store.settle.Settler} moves
 * or removes the tasks that pass the guard, and then writes what follows from those alone, in one
 * transaction. A settlement without the newest token changes nothing and is reported as stale.
 */
@NullMarked
package dev.standpipe.internal.store.settle;

import org.jspecify.annotations.NullMarked;

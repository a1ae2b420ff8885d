/**
 * Transactions on connections of the user's that a body writes in first and the engine last: one of
 * the user's source, or one that a framework has opened. The body gets the connection behind a
 * guard.
 */
@NullMarked
package dev.standpipe.internal.store.transaction;

import org.jspecify.annotations.NullMarked;

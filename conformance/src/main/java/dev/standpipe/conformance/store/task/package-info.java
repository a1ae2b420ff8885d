/**
 * What a store does with tasks: claims them, settles them, and writes what follows from a settled
 * step. Also the rows that several tasks share.
 */
@NullMarked
package dev.standpipe.conformance.store.task;

import org.jspecify.annotations.NullMarked;

/**
 * The rows of a run besides its tasks: the run itself, what it calls and waits for, its deadline,
 * and what follows its end.
 */
@NullMarked
package dev.standpipe.internal.store.run;

import org.jspecify.annotations.NullMarked;

/**
 * The rows of a run besides its tasks: the run itself, what it calls and waits for, its deadline,
 * and what follows its end. {@link dev.standpipe.internal.store.run.JdbcRuns} changes runs, {@link
 * dev.standpipe.internal.store.run.JdbcRunQueries} reads them.
 */
@NullMarked
package dev.standpipe.internal.store.run;

import org.jspecify.annotations.NullMarked;

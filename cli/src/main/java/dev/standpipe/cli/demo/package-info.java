/**
 * {@code standpipe demo}: the order pipeline under fire.
 *
 * <p>The parent process owns the database, starts the runs as a client, and forks worker JVMs that
 * serve the pipeline. It then kills one of them and freezes another past its lease, while every
 * body writes what it did into a ledger outside of the database. At the end it compares the
 * database and the ledger with what the orders ask for, and reports what it counted, no more.
 *
 * <p>A worker speaks to its parent in lines on its standard output ({@link
 * dev.standpipe.cli.demo.WorkerEvent}) and stops when its standard input ends, so that it never
 * outlives its parent.
 */
@NullMarked
package dev.standpipe.cli.demo;

import org.jspecify.annotations.NullMarked;

/**
 * Rows over JDBC. One Java class per table speaks to every database; what differs between databases
 * is the SQL, in {@code resources/dev/standpipe/sql/<dialect>/}, and a small {@link
 * dev.standpipe.internal.store.jdbc.Dialect}. What all of them say in the same words is in {@code
 * sql/shared/}. {@code docs/new-database.md} says what a further one has to bring.
 *
 * <p>SQL files hold named statements ({@code -- name: claim}) with named parameters, and fragments
 * ({@code -- fragment: now}) that statements use ({@code {now}}). A table is written {@code
 * standpipe.task}; the loader puts the configured schema and prefix there. A set of rows is one
 * parameter: {@code :tasks.run} is a column of it as an array, {@code :tasks} all of it as JSON,
 * whichever the database can take apart.
 *
 * <p>Lock order, everywhere: process, rows that several runs share (see {@link
 * dev.standpipe.internal.store.sharedrows.SharedRows}), task, arrival by (run, node), run. Of
 * tasks, a settlement locks those that stay before those that go; so any other transaction that
 * locks several passes by locked ones, and waits for one of them only when it holds none (see
 * {@link dev.standpipe.internal.store.RunTaskLock}). A settlement that begins to wait takes its row
 * in {@code signal} after its task; a signal takes the task after the row, but only if the row was
 * there, and so its settlement is over.
 *
 * <p>What the guards of settling and reaping are for is in {@code docs/models/Lease.tla}, and why
 * arrivals are counted under a lock that blocks, in key order, in {@code docs/models/FanIn.tla}.
 */
@NullMarked
package dev.standpipe.internal.store;

import org.jspecify.annotations.NullMarked;

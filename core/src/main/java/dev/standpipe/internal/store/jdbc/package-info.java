/**
 * Named statements over JDBC: loading them ({@link dev.standpipe.internal.store.jdbc.Sql}), binding
 * sets of rows to them, running them, and saying what a failure means ({@link
 * dev.standpipe.internal.port.Diagnosis}). What differs between databases, besides their SQL, is in
 * {@link dev.standpipe.internal.store.jdbc.Dialect}.
 */
@NullMarked
package dev.standpipe.internal.store.jdbc;

import org.jspecify.annotations.NullMarked;

/**
 * Small programs to read and run, one idea each.
 *
 * <p>Each runs on an SQLite file of its own, or on the database whose JDBC URL is its first
 * argument.
 */
@NullMarked
package dev.standpipe.examples;

import org.jspecify.annotations.NullMarked;

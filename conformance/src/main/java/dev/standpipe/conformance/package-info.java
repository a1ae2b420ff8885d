/**
 * What every database and every release has to keep: contracts, and the servers and child processes
 * that try them.
 */
@NullMarked
package dev.standpipe.conformance;

import org.jspecify.annotations.NullMarked;

/**
 * The databases, the wires to them and the child processes that tests start. They take everything
 * away again when the JVM ends.
 */
@NullMarked
package dev.standpipe.conformance.server;

import org.jspecify.annotations.NullMarked;

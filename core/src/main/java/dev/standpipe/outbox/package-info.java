/**
 * Events that are committed with a step or a transaction, and the sinks that they are published to.
 */
@NullMarked
package dev.standpipe.outbox;

import org.jspecify.annotations.NullMarked;

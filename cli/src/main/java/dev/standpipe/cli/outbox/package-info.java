/** {@code standpipe outbox}: what sinks have still to get, and what they have refused. */
@NullMarked
package dev.standpipe.cli.outbox;

import org.jspecify.annotations.NullMarked;

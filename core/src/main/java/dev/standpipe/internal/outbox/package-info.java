/** What the engine and the store share about the outbox: what is stored, and by which words. */
@NullMarked
package dev.standpipe.internal.outbox;

import org.jspecify.annotations.NullMarked;

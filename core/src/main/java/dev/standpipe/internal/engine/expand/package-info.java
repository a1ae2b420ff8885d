/**
 * Steps that yield many elements, and steps that bring elements together. Elements are read a chunk
 * at a time ({@link dev.standpipe.internal.engine.expand.ElementChunks}), each chunk is one commit,
 * and the process that takes the expand up again goes on behind the last element. {@link
 * dev.standpipe.internal.engine.expand.ExpandWindows} and {@link
 * dev.standpipe.internal.engine.expand.ExpandThrottle} hold expands back while there is enough to
 * do.
 */
@NullMarked
package dev.standpipe.internal.engine.expand;

import org.jspecify.annotations.NullMarked;

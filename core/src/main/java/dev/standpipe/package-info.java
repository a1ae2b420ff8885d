/**
 * Durable pipelines on the database you already run. Start at {@link dev.standpipe.Pipeline#define
 * Pipeline.define} and {@link dev.standpipe.Standpipe#on Standpipe.on}.
 *
 * <p>Everything here is thread-safe unless its Javadoc says otherwise. Nothing here reads or
 * returns {@code null} unless marked {@code @Nullable}; step values may be {@code null}, which is
 * JSON {@code null}.
 */
@NullMarked
package dev.standpipe;

import org.jspecify.annotations.NullMarked;

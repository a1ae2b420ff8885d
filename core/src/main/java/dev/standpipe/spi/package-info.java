/**
 * What can be plugged in: the {@link dev.standpipe.spi.PayloadCodec} of step values, and {@link
 * dev.standpipe.spi.Listener}s, which hear every {@link dev.standpipe.spi.Event}.
 */
@NullMarked
package dev.standpipe.spi;

import org.jspecify.annotations.NullMarked;

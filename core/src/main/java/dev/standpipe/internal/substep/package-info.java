/** What the engine and the store share about what tries write before they end. */
@NullMarked
package dev.standpipe.internal.substep;

import org.jspecify.annotations.NullMarked;

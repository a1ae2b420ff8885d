/** Values as text: JSON through Jackson, and what no text may contain. */
@NullMarked
package dev.standpipe.internal.codec;

import org.jspecify.annotations.NullMarked;

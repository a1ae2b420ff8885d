/** Standpipe as a contender. */
@NullMarked
package dev.standpipe.bench.standpipe;

import org.jspecify.annotations.NullMarked;

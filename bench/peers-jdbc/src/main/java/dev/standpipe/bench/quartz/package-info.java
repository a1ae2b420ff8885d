/** Quartz as a contender. */
@NullMarked
package dev.standpipe.bench.quartz;

import org.jspecify.annotations.NullMarked;

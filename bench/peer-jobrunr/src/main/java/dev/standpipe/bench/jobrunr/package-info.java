/** JobRunr as a contender. */
@NullMarked
package dev.standpipe.bench.jobrunr;

import org.jspecify.annotations.NullMarked;

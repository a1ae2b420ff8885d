/** db-scheduler as a contender. */
@NullMarked
package dev.standpipe.bench.dbscheduler;

import org.jspecify.annotations.NullMarked;

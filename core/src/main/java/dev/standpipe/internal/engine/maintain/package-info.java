/**
 * The duties of a process besides running steps. Any process may perform most of them for all: reap
 * dead processes, promote due tasks, enforce deadlines, end canceled runs, dispatch what follows
 * the ends of runs (I1, I7, I8, I10).
 *
 * <p>{@link dev.standpipe.internal.engine.maintain.Poller} asks once for all duties whether there
 * is anything to do, and the less often the more processes there are; {@link
 * dev.standpipe.internal.engine.maintain.Maintenance} lists the duties, {@link
 * dev.standpipe.internal.engine.maintain.MaintenanceRunner} performs them on two threads. Each duty
 * is safe to perform by several processes at once: the store lets one through.
 */
@NullMarked
package dev.standpipe.internal.engine.maintain;

import org.jspecify.annotations.NullMarked;

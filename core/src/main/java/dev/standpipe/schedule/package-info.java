/** Schedules: runs that are started at their time, by a cron expression or at an interval. */
@NullMarked
package dev.standpipe.schedule;

import org.jspecify.annotations.NullMarked;

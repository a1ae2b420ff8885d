/**
 * Fires schedules (I10). {@link dev.standpipe.internal.engine.schedule.Scheduler} reads what is
 * due, decides which instants to fire ({@link dev.standpipe.internal.engine.schedule.FiringPlan},
 * pure), has the inputs made, and writes for all schedules in one transaction: the next instant,
 * unless the schedule has changed meanwhile; a row for each instant, which its primary key allows
 * once for ever; and the runs. Nobody holds a lock while user code makes an input.
 *
 * <p>The database's clock says what is due. Instants follow from the instant in the row, never from
 * a clock, so a clock that is set back fires nothing twice.
 */
@NullMarked
package dev.standpipe.internal.engine.schedule;

import org.jspecify.annotations.NullMarked;

/**
 * How a process stays alive in the eyes of the others (I3, I4, I7).
 *
 * <p><b>Authority.</b> The row in {@code process} is the lease; the database's clock decides when
 * it has run out. {@link dev.standpipe.internal.engine.lease.Heartbeat} renews it.
 *
 * <p><b>Trust window.</b> {@link dev.standpipe.internal.engine.lease.ProcessLease} trusts the lease
 * for a fifth less than the database grants, by the monotonic clock, from before the renewal was
 * sent. {@link dev.standpipe.internal.engine.lease.LeaseWatchdog} interrupts all bodies when that
 * time is over; it needs neither a lock nor the database.
 *
 * <p><b>On failure.</b> A process whose row is gone joins again under a fresh id. {@link
 * dev.standpipe.internal.engine.lease.Reconciler} gives back tasks that the database holds for this
 * process and the process does not know of. {@link
 * dev.standpipe.internal.engine.lease.ConnectRetry} waits out a failover at the start. {@code
 * docs/models/Lease.tla} is the protocol.
 */
@NullMarked
package dev.standpipe.internal.engine.lease;

import org.jspecify.annotations.NullMarked;

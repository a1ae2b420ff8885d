package dev.standpipe.internal.engine.lease;

import dev.standpipe.internal.engine.ProcessState;
import java.time.Duration;

/**
 * Looks whether the lease is still to be trusted. It needs no database and no lock, so it sees what
 * a heartbeat that hangs cannot: that time is up.
 */
public final class LeaseWatchdog {
  private final ProcessState processState;
  private final Duration interval;

  public LeaseWatchdog(ProcessState processState, Duration lease) {
    this.processState = processState;
    this.interval = lease.dividedBy(20);
  }

  /** One pass; says how long to wait for the next. */
  public Duration look() {
    ProcessLease lease = processState.lease();
    if (!lease.isTrusted() && !lease.isGone()) {
      processState.lose(lease, "the lease could not be renewed in time");
    }
    return interval;
  }
}

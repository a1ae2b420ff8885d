package dev.standpipe.internal.engine;

import java.time.Duration;

/**
 * Looks whether the lease is still to be trusted. It needs no database and no lock, so it sees what
 * a heartbeat that hangs cannot: that time is up.
 */
final class Watch {
  private final Crew crew;
  private final Duration interval;

  Watch(Crew crew, Duration lease) {
    this.crew = crew;
    this.interval = lease.dividedBy(20);
  }

  /** One pass; says how long to wait for the next. */
  Duration look() {
    Membership membership = crew.membership();
    if (!membership.isTrusted() && !membership.isGone()) {
      crew.lose(membership, "the lease could not be renewed in time");
    }
    return interval;
  }
}

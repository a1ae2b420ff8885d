package dev.standpipe.internal.engine;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Processes;
import dev.standpipe.spi.Processes.Member;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Keeps this process's lease. If the database no longer knows the process, it was reaped: what it
 * still does is interrupted, and it joins again under a fresh id.
 */
final class Heart {
  private static final int BEATS_PER_LEASE = 6;

  private final Processes processes;
  private final Crew crew;
  private final Duration lease;
  private final List<Integer> lanes;

  Heart(Processes processes, Crew crew, Duration lease, List<Integer> lanes) {
    this.processes = processes;
    this.crew = crew;
    this.lease = lease;
    this.lanes = lanes;
  }

  /** One pass; says how long to wait for the next. */
  Duration beat() {
    Membership membership = crew.membership();
    long sentAt = System.nanoTime();
    if (!membership.isGone() && processes.renew(membership.id(), lease)) {
      membership.renewed(sentAt);
    } else {
      if (!membership.isGone()) {
        membership.markGone();
        crew.lose(membership, "reaped by another process after its lease ran out");
      }
      join(membership.member());
    }
    return lease.dividedBy(BEATS_PER_LEASE);
  }

  /** Joins as a new process. */
  void join(Member before) {
    Member member = new Member(UUID.randomUUID(), before.name(), before.host(), before.pid());
    Membership membership = new Membership(member, lease);
    long sentAt = System.nanoTime();
    processes.join(member, lease, lanes);
    membership.renewed(sentAt);
    crew.membership(membership);
    crew.events().publish(new Event.ProcessStarted(member.id(), member.name()));
  }
}

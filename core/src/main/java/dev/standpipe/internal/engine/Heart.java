package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Processes;
import dev.standpipe.spi.Processes.Member;
import dev.standpipe.spi.Processes.Serving;
import java.time.Duration;

/**
 * Keeps this process's lease. If the database no longer knows the process, it was reaped: what it
 * still does is interrupted, and it joins again under a fresh id. So it does if the database could
 * not be reached for several leases: whatever it held then has long been others' to take.
 */
final class Heart {
  private static final int BEATS_PER_LEASE = 6;
  private static final int LEASES_UNTIL_NEW = 3;

  private final Processes processes;
  private final Crew crew;
  private final Duration lease;
  private final Serving serving;
  private final Machine machine;

  Heart(Processes processes, Crew crew, Duration lease, Serving serving, Machine machine) {
    this.processes = processes;
    this.crew = crew;
    this.lease = lease;
    this.serving = serving;
    this.machine = machine;
  }

  /** One pass; says how long to wait for the next. */
  Duration beat() {
    Membership membership = crew.membership();
    long sentAt = machine.nanoTime();
    if (!membership.isGone() && renew(membership)) {
      membership.renewed(sentAt);
      crew.strain().ease();
    } else {
      if (!membership.isGone()) {
        membership.markGone();
        crew.lose(membership, "reaped by another process after its lease ran out");
      }
      join(membership.member());
    }
    return lease.dividedBy(BEATS_PER_LEASE);
  }

  private boolean renew(Membership membership) {
    try {
      return processes.renew(membership.id(), lease);
    } catch (StoreException e) {
      if (membership.distrustedFor().compareTo(lease.multipliedBy(LEASES_UNTIL_NEW)) >= 0) {
        membership.markGone();
        crew.lose(membership, "no renewal for several leases, comes back as a new process");
      }
      throw e;
    }
  }

  /** Joins as a new process. */
  void join(Member before) {
    Member member = new Member(machine.freshId(), before.name(), before.host(), before.pid());
    Membership membership = new Membership(member, lease, machine);
    long sentAt = machine.nanoTime();
    machine.joining(member.id());
    processes.join(member, lease, serving);
    membership.renewed(sentAt);
    crew.membership(membership);
    crew.events().publish(new Event.ProcessStarted(member.id(), member.name()));
  }
}

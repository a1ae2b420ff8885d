package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Processes;
import dev.standpipe.spi.Processes.Member;
import dev.standpipe.spi.Processes.Serving;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Keeps this process's lease. If the database no longer knows the process, it was reaped: what it
 * still does is interrupted, and it joins again under a fresh id. However long the database could
 * not be reached, the process keeps its id until then: what it holds is still its own.
 */
final class Heart {
  private static final int BEATS_PER_LEASE = 6;

  private final Processes processes;
  private final Crew crew;
  private final Duration lease;
  private final Supplier<Serving> serving;
  private final Machine machine;

  Heart(
      Processes processes, Crew crew, Duration lease, Supplier<Serving> serving, Machine machine) {
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
    return interval(lease);
  }

  /** How long it waits from beat to beat, and at most after one that failed. */
  static Duration interval(Duration lease) {
    return lease.dividedBy(BEATS_PER_LEASE);
  }

  /** What the database holds for this process may be other than it was once it is back. */
  private boolean renew(Membership membership) {
    try {
      return processes.renew(membership.id(), lease);
    } catch (StoreException e) {
      crew.doubt();
      throw e;
    }
  }

  /** Joins as a new process. */
  void join(Member before) {
    Member member = new Member(machine.freshId(), before.name(), before.host(), before.pid());
    Membership membership = new Membership(member, lease, machine);
    long sentAt = machine.nanoTime();
    machine.joining(member.id());
    processes.join(member, lease, serving.get());
    membership.renewed(sentAt);
    crew.membership(membership);
    crew.events().publish(new Event.ProcessStarted(member.id(), member.name()));
  }
}

package dev.standpipe.internal.engine.lease;

import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Processes.Member;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Under which id this process holds its lease, and for how long it trusts it. The trust ends a
 * fifth of the lease before the database's own deadline, counted on the monotonic clock from before
 * the renewal was sent: whatever the renewal took, it is on the safe side.
 */
public final class ProcessLease {
  private final Member member;
  private final long trustNanos;
  private final Machine machine;
  private volatile long trustedUntil;
  private volatile boolean gone;
  private final AtomicBoolean lost = new AtomicBoolean();

  public ProcessLease(Member member, Duration lease, Machine machine) {
    this.member = member;
    this.trustNanos = lease.toNanos() * 4 / 5;
    this.machine = machine;
    this.trustedUntil = machine.nanoTime();
  }

  public UUID id() {
    return member.id();
  }

  public Member member() {
    return member;
  }

  /** Notes a renewal that was sent at this time and has succeeded. */
  public void renewed(long sentAt) {
    trustedUntil = sentAt + trustNanos;
    lost.set(false);
  }

  /** Notes that the lease is lost; {@code true} for the first to notice since it was renewed. */
  public boolean lose() {
    return lost.compareAndSet(false, true);
  }

  /** Notes that the database no longer knows this id. */
  void markGone() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  /** Whether nobody else can have been given this process's tasks. */
  public boolean isTrusted() {
    return !gone && trustedUntil - machine.nanoTime() > 0;
  }
}

package dev.standpipe.internal.engine;

import dev.standpipe.spi.Processes.Member;
import java.time.Duration;
import java.util.UUID;

/**
 * Under which id this process holds its lease, and for how long it trusts it. The trust ends a
 * fifth of the lease before the database's own deadline, counted on the monotonic clock from before
 * the renewal was sent: whatever the renewal took, it is on the safe side.
 */
final class Membership {
  private final Member member;
  private final long trustNanos;
  private volatile long trustedUntil;
  private volatile boolean gone;

  Membership(Member member, Duration lease) {
    this.member = member;
    this.trustNanos = lease.toNanos() * 4 / 5;
    this.trustedUntil = System.nanoTime();
  }

  UUID id() {
    return member.id();
  }

  Member member() {
    return member;
  }

  /** Notes a renewal that was sent at this time and has succeeded. */
  void renewed(long sentAt) {
    trustedUntil = sentAt + trustNanos;
  }

  /** Notes that the database no longer knows this id. */
  void markGone() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  /** Whether nobody else can have been given this process's tasks. */
  boolean isTrusted() {
    return !gone && trustedUntil - System.nanoTime() > 0;
  }

  /** How long ago the trust ended; zero while it lasts. */
  Duration distrustedFor() {
    return Duration.ofNanos(Math.max(0, System.nanoTime() - trustedUntil));
  }
}

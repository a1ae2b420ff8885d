package dev.standpipe.internal.engine.execute;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The bodies that have called {@code System.exit} and wait for it: they never return. A process
 * that is closed by a shutdown hook is closed because of them, so they count as its crash, and are
 * neither waited for nor given back. Not thread-safe.
 */
public final class ExitingBodies {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Collection<Attempt> attempts;
  private Set<Attempt> exiting = Set.of();
  private long lookedAt = System.nanoTime() - LOOK.toNanos();

  public ExitingBodies(Collection<Attempt> attempts) {
    this.attempts = attempts;
  }

  public boolean contains(Attempt attempt) {
    return !all().isEmpty() && exiting.contains(attempt);
  }

  /** All of them; asking threads for their stacks is not for free, so not at every look. */
  public Set<Attempt> all() {
    if (System.nanoTime() - lookedAt >= LOOK.toNanos()) {
      exiting =
          attempts.stream().filter(Attempt::isExiting).collect(Collectors.toUnmodifiableSet());
      lookedAt = System.nanoTime();
    }
    return exiting;
  }
}

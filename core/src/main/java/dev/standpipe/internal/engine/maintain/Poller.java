package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.PendingWork;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.PendingWork.Written;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks the database what there is to do, with one statement for all duties, and tells them; has
 * tasks claimed that are ready.
 *
 * <p>While the process works it asks every poll interval. A process that holds no task, got no
 * notification for a while and would get one asks less often, and the less often the more processes
 * there are: together they ask about as often as one. A process without notifications sees every
 * poll interval whether anything was written, if the database has files that tell; if not, it asks.
 * Only {@link #notice} and {@link #hears} are for other threads.
 */
public final class Poller implements PeriodicDuty {
  private static final int REST = 5;
  private static final int LINGER = 25;
  private static final int MOST_SHARING = 8;
  private static final Duration SOON = Duration.ofMillis(5);

  private final Source source;
  private final ProcessState processState;
  private final Settings settings;
  private final Machine machine;
  private final Audience audience;
  private volatile boolean hearing;
  private volatile boolean resting;
  private volatile long noticedAt;
  private final Consumer<Duration> wakeIn;
  private Seen seen =
      new Seen(
          false,
          false,
          false,
          false,
          false,
          false,
          false,
          1,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
  private long lookedAt;

  /**
   * Where it looks.
   *
   * @param pendingWork what there is to do
   * @param lanes the lanes to take tasks from at present
   * @param claim has tasks taken from them
   */
  record Source(PendingWork pendingWork, Supplier<List<Integer>> lanes, Runnable claim) {}

  /** Those who are told what was seen. */
  @FunctionalInterface
  interface Audience {
    /** See {@link PeriodicDuty#dueAfter}. */
    void tell(Seen seen, boolean news);
  }

  /**
   * Looks for these.
   *
   * @param audience those who are told after each look
   * @param wakeIn has {@link #perform} called within this time
   */
  Poller(
      Source source,
      ProcessState processState,
      Settings settings,
      Machine machine,
      Audience audience,
      Consumer<Duration> wakeIn) {
    this.wakeIn = wakeIn;
    this.source = source;
    this.processState = processState;
    this.settings = settings;
    this.machine = machine;
    this.audience = audience;
    long now = machine.nanoTime();
    this.noticedAt = now - linger();
    this.lookedAt = now - settings.pollInterval().multipliedBy(REST * MOST_SHARING).toNanos();
  }

  /** Notes that something was taken, or may be there to take. */
  public void notice() {
    noticedAt = machine.nanoTime();
  }

  /** Notes that a notification came: there may be more to do than tasks to take. */
  public void told() {
    notice();
    if (resting) {
      resting = false;
      wakeIn.accept(SOON);
    }
  }

  /** Notes whether this process is told when there is something to take. */
  public void hears(boolean audible) {
    hearing = audible;
  }

  @Override
  public String name() {
    return "poller";
  }

  @Override
  public Duration perform() {
    long now = machine.nanoTime();
    boolean active = isActive(now);
    resting = !active;
    if (active || now - lookedAt >= rest().toNanos()) {
      Optional<Seen> fresh = source.pendingWork().look(source.lanes().get());
      seen = fresh.orElse(seen);
      if (fresh.isPresent() && seen.ready()) {
        source.claim().run();
      }
      lookedAt = now;
      audience.tell(seen, fresh.isPresent());
    }
    return settings.pollInterval();
  }

  private boolean isActive(long now) {
    if (!processState.inFlight().attempts().isEmpty()) {
      noticedAt = now;
    }
    return !processState.lease().isTrusted()
        || now - noticedAt < linger()
        || (seen.busy() && !settings.role().works()) // others hold what will have to be promoted
        || (!hearing && mayHaveMissed(now));
  }

  /** Nobody tells it. Something that was written may not be there to read yet, so it lingers. */
  private boolean mayHaveMissed(long now) {
    Written written = source.pendingWork().written();
    if (written == Written.SOMETHING) {
      noticedAt = now;
    }
    return written != Written.NOTHING;
  }

  private long linger() {
    return settings.pollInterval().multipliedBy(LINGER).toNanos();
  }

  private Duration rest() {
    return settings.pollInterval().multipliedBy(REST * sharing(seen));
  }

  /** How many processes take turns at what any of them may do. */
  static long sharing(Seen seen) {
    return Math.max(1, Math.min(MOST_SHARING, seen.processes()));
  }
}

package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.PendingWork;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.PendingWork.Written;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks the database what there is to do, with one statement for all parts, and has those look that
 * have something to do.
 *
 * <p>While the process works it asks every poll interval. One that holds nothing, has heard of
 * nothing for a while and would hear of work asks less often, and the less often the more processes
 * there are: together they ask about as often as one. One that hears nothing sees every poll
 * interval whether anything was written, if the database has files that tell; if not, it asks. Only
 * {@link #notice} and {@link #hears} are for other threads.
 */
public final class Poller {
  private static final int REST = 5;
  private static final int LINGER = 25;
  private static final int MOST_SHARING = 8;
  private static final Duration SOON = Duration.ofMillis(5);

  private final Source source;
  private final ProcessState processState;
  private final Settings settings;
  private final Machine machine;
  private final Parts parts;
  private volatile boolean hearing;
  private volatile boolean resting;
  private volatile long noticedAt;
  private final Consumer<Duration> wakeIn;
  private Seen seen =
      new Seen(
          false, false, false, false, false, false, false, 1, Optional.empty(), Optional.empty());
  private long lookedAt;
  private long sweptAt;

  /**
   * Where it looks.
   *
   * @param pendingWork what there is to do
   * @param lanes the lanes to take tasks from at present
   */
  record Source(PendingWork pendingWork, Supplier<List<Integer>> lanes) {}

  /** Those who have something to do then. */
  record Parts(
      Runnable claimer,
      Duty suspects,
      Duty pauser,
      Duty runEndDispatcher,
      Duty promoter,
      Duty deadlines,
      Duty reaper) {}

  /**
   * Looks for these parts.
   *
   * @param wakeIn has {@link #poll} called within this time
   */
  Poller(
      Source source,
      ProcessState processState,
      Settings settings,
      Machine machine,
      Parts parts,
      Consumer<Duration> wakeIn) {
    this.wakeIn = wakeIn;
    this.source = source;
    this.processState = processState;
    this.settings = settings;
    this.machine = machine;
    this.parts = parts;
    this.sweptAt = machine.nanoTime();
    this.noticedAt = sweptAt - linger();
    this.lookedAt = sweptAt - settings.pollInterval().multipliedBy(REST * MOST_SHARING).toNanos();
  }

  /** Notes that something was taken, or may be there to take. */
  public void notice() {
    noticedAt = machine.nanoTime();
  }

  /** Notes that somebody says there is something to do: there may be more than tasks. */
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

  /** One pass; says how long to wait for the next. */
  Duration poll() {
    long now = machine.nanoTime();
    boolean active = isActive(now);
    resting = !active;
    if (active || now - lookedAt >= rest().toNanos()) {
      source.pendingWork().look(source.lanes().get()).ifPresent(this::tell);
      lookedAt = now;
      sweepIfTime(now);
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
    return settings.pollInterval().multipliedBy(REST * sharing());
  }

  private long sharing() {
    return Math.max(1, Math.min(MOST_SHARING, seen.processes()));
  }

  private void tell(Seen now) {
    seen = now;
    if (now.ready()) {
      parts.claimer().run();
    }
    wakeIf(now.suspects(), parts.suspects());
    wakeIf(now.paused() || processState.inFlight().isAnyPaused(), parts.pauser());
    wakeIf(now.ended(), parts.runEndDispatcher());
    now.nextTask().ifPresent(parts.promoter()::wakeIn);
    now.nextDeadline().ifPresent(parts.deadlines()::wakeIn);
  }

  private static void wakeIf(boolean needed, Duty duty) {
    if (needed) {
      duty.wake();
    }
  }

  /**
   * What somebody died with or left half done is put right as soon as by a process that is alone.
   * Whatever cannot be seen at a glance is looked for by all in turn, as long as there are tasks.
   */
  private void sweepIfTime(long now) {
    long since = now - sweptAt;
    long interval = settings.lease().dividedBy(4).toNanos();
    boolean something = seen.expired() || seen.stopped();
    boolean anything = seen.busy() || seen.suspects();
    if ((something && since >= interval) || (anything && since >= interval * sharing())) {
      sweptAt = now;
      parts.reaper().wake();
    }
  }
}

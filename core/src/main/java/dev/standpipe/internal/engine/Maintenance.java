package dev.standpipe.internal.engine;

import dev.standpipe.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process does besides running steps, as duties for two threads: one for what any process
 * may do for all, one for what concerns this process alone. What needs the database waits until the
 * {@link Poller} sees that there is something to do, or until its time has come.
 */
final class Maintenance {
  /** For those whom somebody wakes. */
  private static final Duration RARELY = Duration.ofHours(1);

  private final Settings settings;
  private final Crew crew;
  private final Pauser pauser;
  private final Windows windows;
  private final Poller poller;
  private final Duty followDuty;
  private final List<Duty> shared = new ArrayList<>();
  private final List<Duty> own = new ArrayList<>();

  /**
   * What it works with.
   *
   * @param settings how the process works
   * @param machine what it runs on
   * @param ends hears of runs that have ended
   * @param announce tells all processes that there are tasks to take
   * @param claim has this process take tasks
   */
  record Means(Settings settings, Machine machine, Ends ends, Runnable announce, Runnable claim) {}

  Maintenance(Store store, Crew crew, Catalogue catalogue, SequelDesk sequels, Means means) {
    this.settings = means.settings();
    this.crew = crew;
    this.pauser = new Pauser(store.pauses(), crew, RARELY);
    this.windows = new Windows(crew, store.tasks(), settings.pollInterval());
    Duty windowDuty = duty("windows", windows::look);
    windows.onWait(windowDuty::wake);
    Runnable announce = means.announce();
    Follower follower = new Follower(store, sequels, means.ends(), announce, RARELY);
    this.followDuty = duty("follower", follower::follow);
    means.ends().connect(followDuty::wake);
    SuspectClaimer suspects =
        new SuspectClaimer(store.tasks(), crew, catalogue, settings, means.machine());
    Promoter promoter = new Promoter(store.tasks(), announce, RARELY);
    DeadlineWatch deadlines = new DeadlineWatch(store, crew, means.ends(), RARELY);
    Sweeper sweeper = new Sweeper(store, crew, means.ends(), announce, settings.lease());
    Poller.Parts parts =
        new Poller.Parts(
            means.claim(),
            duty("suspects", () -> claimSuspects(suspects)),
            duty("pauser", pauser::look),
            followDuty,
            duty("promoter", promoter::promote),
            duty("deadlines", deadlines::look),
            duty("sweeper", () -> sweep(sweeper)));
    Poller.Source source =
        new Poller.Source(store.needs(), () -> crew.hold().open(catalogue.lanes()));
    this.poller = new Poller(source, crew, settings, means.machine(), parts);
    Duty pollDuty = duty("poller", poller::poll);
    poller.performedBy(pollDuty);
    shared.addAll(List.of(pollDuty, followDuty));
    if (settings.role().maintains()) {
      shared.addAll(List.of(parts.sweeper(), parts.promoter(), parts.deadlines()));
    }
    if (settings.role().works()) {
      Reconciler reconciler = new Reconciler(store.tasks(), crew, settings.pollInterval());
      Canceler canceler = new Canceler(store.runs(), crew, means.ends(), settings.pollInterval());
      own.addAll(List.of(parts.suspects(), parts.pauser(), windowDuty));
      own.add(duty("reconciler", reconciler::reconcile));
      own.add(duty("canceler", canceler::look));
    }
  }

  private Duty duty(String name, Loop.Pass pass) {
    return new Duty(name, pass, crew.events());
  }

  /** A loop for each thread. */
  List<Loop> loops() {
    Loop maintenance = new Loop("maintenance", shared);
    return own.isEmpty() ? List.of(maintenance) : List.of(maintenance, new Loop("upkeep", own));
  }

  Pauser pauser() {
    return pauser;
  }

  Windows windows() {
    return windows;
  }

  Poller poller() {
    return poller;
  }

  /** Has what follows the ends of runs seen to now. */
  void wakeFollower() {
    followDuty.wake();
  }

  /** Whether it is time is the poller's to say. */
  private static Duration sweep(Sweeper sweeper) {
    sweeper.sweep();
    return RARELY;
  }

  /** Goes on while there is one in hand, or was: that it has ended must be seen, too. */
  private Duration claimSuspects(SuspectClaimer suspects) {
    boolean before = holdsSuspect();
    Duration next = suspects.poll();
    boolean nothing = !before && !holdsSuspect();
    return nothing && next.compareTo(settings.pollInterval()) >= 0 ? RARELY : next;
  }

  private boolean holdsSuspect() {
    return crew.hold().works().stream().anyMatch(Work::isSuspect);
  }
}

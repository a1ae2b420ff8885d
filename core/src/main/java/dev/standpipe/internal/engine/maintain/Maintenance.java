package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.ServedPipelines;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.claim.BodyDispatcher;
import dev.standpipe.internal.engine.claim.SuspectClaimer;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.expand.ExpandWindows;
import dev.standpipe.internal.engine.lease.Reconciler;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.Loop;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a process does besides running steps, as duties for two threads: one for what any process
 * may do for all, one for what concerns this process alone. What needs the database waits until the
 * {@link Poller} sees that there is something to do, or until its time has come.
 */
public final class Maintenance {
  /** For those whom somebody wakes. */
  private static final Duration RARELY = Duration.ofHours(1);

  private final Settings settings;
  private final ProcessState processState;
  private final PauseWatcher pauser;
  private final ExpandWindows windows;
  private final Poller poller;
  private final Duty windowDuty;
  private final Duty followDuty;
  private final Duty pollDuty;
  private final List<Duty> shared = new ArrayList<>();
  private final List<Duty> own = new ArrayList<>();

  /**
   * What it works with.
   *
   * @param settings how the process works
   * @param machine what it runs on
   * @param dispatcher runs the bodies of tries
   * @param ends hears of runs that have ended
   * @param announce tells all processes that there are tasks to take
   * @param claim has this process take tasks
   * @param openings how often its connections were opened so far
   */
  public record Deps(
      Settings settings,
      Machine machine,
      BodyDispatcher dispatcher,
      RunEndListeners ends,
      Runnable announce,
      Runnable claim,
      LongSupplier openings) {}

  public Maintenance(
      Store store,
      ProcessState processState,
      ServedPipelines servedPipelines,
      EndCallbackRuns endCallbacks,
      Deps means) {
    this.settings = means.settings();
    this.processState = processState;
    this.pauser = new PauseWatcher(store.pauses(), processState, RARELY);
    this.windows =
        new ExpandWindows(
            processState,
            means.dispatcher(),
            store.tasks(),
            settings.pollInterval(),
            this::wakeWindows);
    this.windowDuty = duty("windows", windows::look);
    Runnable announce = means.announce();
    RunEndDispatcher runEndDispatcher =
        new RunEndDispatcher(store, endCallbacks, means.ends(), announce, RARELY);
    this.followDuty = duty("run_ends", runEndDispatcher::follow);
    SuspectClaimer suspects =
        new SuspectClaimer(
            store.tasks(),
            processState,
            means.dispatcher(),
            servedPipelines,
            settings,
            means.machine());
    Promoter promoter = new Promoter(store.tasks(), announce, RARELY);
    DeadlineEnforcer deadlines = new DeadlineEnforcer(store, processState, means.ends(), RARELY);
    Reaper reaper = new Reaper(store, processState, means.ends(), announce, settings.lease());
    Poller.Parts parts =
        new Poller.Parts(
            means.claim(),
            duty("suspects", () -> claimSuspects(suspects)),
            duty("pauses", pauser::look),
            followDuty,
            duty("promoter", promoter::promote),
            duty("deadlines", deadlines::look),
            duty("reaper", () -> sweep(reaper)));
    Poller.Source source =
        new Poller.Source(
            store.pendingWork(), () -> processState.inFlight().open(servedPipelines.lanes()));
    this.poller =
        new Poller(source, processState, settings, means.machine(), parts, this::wakePollerIn);
    this.pollDuty = duty("poller", poller::poll);
    shared.addAll(List.of(pollDuty, followDuty));
    if (settings.role().maintains()) {
      shared.addAll(List.of(parts.reaper(), parts.promoter(), parts.deadlines()));
    }
    if (settings.role().works()) {
      Reconciler reconciler =
          new Reconciler(store.tasks(), processState, means.openings(), settings.pollInterval());
      Canceler canceler = new Canceler(store, processState, means.ends(), settings.pollInterval());
      own.addAll(List.of(parts.suspects(), parts.pauser(), windowDuty));
      own.add(duty("reconciler", reconciler::reconcile));
      own.add(duty("canceler", canceler::look));
    }
  }

  private void wakeWindows() {
    windowDuty.wake();
  }

  private void wakePollerIn(Duration time) {
    pollDuty.wakeIn(time);
  }

  private Duty duty(String name, Loop.Pass pass) {
    return new Duty(name, pass, processState.events());
  }

  /** A loop for each thread. */
  public List<Loop> loops() {
    Loop maintenance = new Loop("maintenance", shared);
    return own.isEmpty() ? List.of(maintenance) : List.of(maintenance, new Loop("upkeep", own));
  }

  public PauseWatcher pauser() {
    return pauser;
  }

  public ExpandWindows windows() {
    return windows;
  }

  public Poller poller() {
    return poller;
  }

  /** Has what follows the ends of runs seen to now. */
  public void wakeRunEndDispatcher() {
    followDuty.wake();
  }

  /** Whether it is time is the poller's to say. */
  private static Duration sweep(Reaper reaper) {
    reaper.sweep();
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
    return processState.inFlight().attempts().stream().anyMatch(Attempt::isSuspect);
  }
}

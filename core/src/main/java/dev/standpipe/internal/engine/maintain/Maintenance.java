package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.ServedPipelines;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.claim.BodyDispatcher;
import dev.standpipe.internal.engine.claim.SuspectClaimer;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.expand.ExpandWindows;
import dev.standpipe.internal.engine.lease.Reconciler;
import dev.standpipe.internal.engine.loop.Loop;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Store;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a process does besides running steps: here are all its periodic duties, each a class and a
 * line below. What needs the database waits until the {@link Poller} sees a reason, or until its
 * time has come.
 */
public final class Maintenance {
  private final MaintenanceRunner runner;
  private final PauseWatcher pauser;
  private final ExpandWindows windows;
  private final RunEndDispatcher runEndDispatcher;
  private final Poller poller;

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
    Settings settings = means.settings();
    this.runner = new MaintenanceRunner(processState.events());
    this.pauser = new PauseWatcher(store.pauses(), processState);
    this.windows =
        new ExpandWindows(
            processState,
            means.dispatcher(),
            store.tasks(),
            settings.pollInterval(),
            this::wakeWindows);
    this.runEndDispatcher =
        new RunEndDispatcher(store, endCallbacks, means.ends(), means.announce());
    Poller.Source source =
        new Poller.Source(
            store.pendingWork(),
            () -> processState.inFlight().open(servedPipelines.lanes()),
            means.claim());
    this.poller =
        new Poller(
            source, processState, settings, means.machine(), runner::tell, this::wakePollerIn);
    runner.addForAll(poller);
    runner.addForAll(runEndDispatcher);
    if (settings.role().maintains()) {
      runner.addForAll(new Reaper(store, processState, means));
      runner.addForAll(new Promoter(store.tasks(), means.announce()));
      runner.addForAll(new DeadlineEnforcer(store, processState, means.ends()));
    }
    if (settings.role().works()) {
      runner.addForItself(
          new SuspectClaimer(
              store.tasks(),
              processState,
              means.dispatcher(),
              servedPipelines,
              settings,
              means.machine()));
      runner.addForItself(pauser);
      runner.addForItself(windows);
      runner.addForItself(
          new Reconciler(store.tasks(), processState, means.openings(), settings.pollInterval()));
      runner.addForItself(new Canceler(store, processState, means.ends(), settings.pollInterval()));
    }
  }

  private void wakeWindows() {
    runner.wake(windows);
  }

  private void wakePollerIn(Duration time) {
    runner.wakeIn(poller, time);
  }

  /** A loop for each thread. */
  public List<Loop> loops() {
    return runner.loops();
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
    runner.wake(runEndDispatcher);
  }
}

package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.ServedPipelines;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.claim.BodyDispatcher;
import dev.standpipe.internal.engine.claim.SuspectClaimer;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.expand.ExpandWindows;
import dev.standpipe.internal.engine.lease.Reconciler;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.schedule.Scheduler;
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
  public record MaintenanceDeps(
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
      Scheduler scheduler,
      MaintenanceDeps deps) {
    Settings settings = deps.settings();
    this.runner = new MaintenanceRunner(processState.events());
    this.pauser = new PauseWatcher(store.pauses(), processState);
    this.windows =
        new ExpandWindows(
            processState,
            deps.dispatcher(),
            store.tasks(),
            settings.pollInterval(),
            this::wakeWindows);
    this.runEndDispatcher = new RunEndDispatcher(store, endCallbacks, deps.ends(), deps.announce());
    Poller.Source source =
        new Poller.Source(
            store.pendingWork(),
            () -> processState.capacity().open(servedPipelines.lanes()),
            deps.claim());
    this.poller =
        new Poller(
            source, processState, settings, deps.machine(), runner::tell, this::wakePollerIn);
    runner.addForAll(poller);
    runner.addForAll(runEndDispatcher);
    if (settings.role().maintains()) {
      runner.addForAll(new Reaper(store, processState, deps));
      runner.addForAll(new Promoter(store.tasks(), deps.announce()));
      runner.addForAll(new DeadlineEnforcer(store, processState, deps.ends()));
      runner.addForAll(scheduler);
    }
    if (settings.role().works()) {
      runner.addForItself(
          new SuspectClaimer(
              store.tasks(),
              processState,
              deps.dispatcher(),
              servedPipelines,
              settings,
              deps.machine()));
      runner.addForItself(pauser);
      runner.addForItself(windows);
      runner.addForItself(
          new Reconciler(store.tasks(), processState, deps.openings(), settings.pollInterval()));
      runner.addForItself(new Canceler(store, processState, deps.ends(), settings.pollInterval()));
    }
  }

  private void wakeWindows() {
    runner.wake(windows);
  }

  private void wakePollerIn(Duration time) {
    runner.wakeIn(poller, time);
  }

  /** A loop for each thread. */
  public List<EngineLoop> loops() {
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

  /** Has the dispatcher look now for ended runs that something follows. */
  public void wakeRunEndDispatcher() {
    runner.wake(runEndDispatcher);
  }
}

package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.info.EngineStats;
import dev.standpipe.internal.engine.claim.BodyDispatcher;
import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.claim.Claimer;
import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.client.RunWaiters;
import dev.standpipe.internal.engine.commit.CommitQueues;
import dev.standpipe.internal.engine.commit.CommitReplyHandler;
import dev.standpipe.internal.engine.commit.Committers;
import dev.standpipe.internal.engine.commit.TransactionalSettler;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.BodyPool;
import dev.standpipe.internal.engine.execute.BodyRunner;
import dev.standpipe.internal.engine.execute.ExitingBodies;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.execute.Timeouts;
import dev.standpipe.internal.engine.execute.TransactionalStep;
import dev.standpipe.internal.engine.expand.ExpandThrottle;
import dev.standpipe.internal.engine.lease.EngineConnections;
import dev.standpipe.internal.engine.lease.Heartbeat;
import dev.standpipe.internal.engine.lease.LeaseWatchdog;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.engine.lease.ProgressReports;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.maintain.EndCallbackRuns;
import dev.standpipe.internal.engine.maintain.Maintenance;
import dev.standpipe.internal.engine.schedule.EarlierRuns;
import dev.standpipe.internal.engine.schedule.ScheduleInputs;
import dev.standpipe.internal.engine.schedule.Scheduler;
import dev.standpipe.internal.engine.substep.TryMemory;
import dev.standpipe.internal.port.Processes.Member;
import dev.standpipe.internal.port.Processes.Serving;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.transaction.StepTransactions;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.PayloadCodec;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that serves pipelines: makes the parts, gives each its loop, and stops them in order.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final Duration WATCH_DRAIN = Duration.ofMillis(5);

  /** How long a claimer that finds nothing waits unless the poller wakes it. */
  private static final Duration UNTOLD = Duration.ofMinutes(1);

  private final Settings settings;
  private final Machine machine;
  private final Events events;
  private final ServedPipelines servedPipelines;
  private final EngineConnections connections;
  private final ProcessState processState;
  private final RunEndListeners ends;
  private final Timeouts timeouts;
  private final BodyPool pool;
  private final BodyDispatcher dispatcher;
  private final Scheduler scheduler;
  private final Maintenance maintenance;
  private final Heartbeat heartbeat;
  private final TransactionalSettler settler;
  private final Committers committers;
  private final LeasedStarts leasedStarts;
  private final List<EngineLoop> maintenanceLoops;
  private final EngineLoop heartbeatLoop;
  private final EngineLoop claimLoop;
  private final EngineLoop connectionLoop;
  private boolean joined;

  /**
   * Where a process works.
   *
   * @param connections its connections to the database, which it closes
   * @param announce tells all processes that there are tasks to take
   * @param machine what it runs on
   * @param transactions where transactional bodies write
   */
  public record Site(
      EngineConnections connections,
      Runnable announce,
      Machine machine,
      StepTransactions transactions) {}

  /** Makes the parts; nothing runs yet. */
  public Engine(Site site, Settings settings, PayloadCodec codec, Served served, Events events) {
    this.settings = settings;
    this.machine = site.machine();
    this.events = events;
    this.servedPipelines = new ServedPipelines(served.byLane());
    this.connections = site.connections();
    ProcessLease nobody = new ProcessLease(member(settings.name()), settings.lease(), machine);
    Capacity capacity = new Capacity(settings.concurrency(), settings.maxBatch(), machine);
    InFlight inFlight = new InFlight(capacity, machine);
    ExpandThrottle throttle = new ExpandThrottle(inFlight);
    CommitQueues commitQueues =
        new CommitQueues(
            connections.commits().size(), settings.maxBatch(), throttle, this::wakeCommitter);
    this.processState =
        new ProcessState(nobody, inFlight, events, commitQueues::add, this::claimSoon);
    this.ends = new RunEndListeners(served.waiters(), events, this::wakeRunEndDispatcher);
    ExecutorService bodies = machine.bodies();
    this.timeouts = new Timeouts(commitQueues::add, machine.timer(), bodies);
    BodyRunner runner =
        new BodyRunner(
            new BodyRunner.BodyRunnerDeps(
                codec,
                connections.claims(),
                machine::freshRunId,
                bodies,
                processState::mayBegin,
                site.transactions(),
                new TryMemory.TryMemoryDeps(
                    connections.claims(), codec, commitQueues::write, machine, events)),
            events,
            timeouts,
            new BodyRunner.Exits(commitQueues::add, this::awaitWindow, this::settleJoined));
    this.pool = new BodyPool(settings.concurrency(), bodies, throttle, runner::run);
    this.dispatcher = new BodyDispatcher(processState, pool);
    this.scheduler = scheduler(served.schedules(), codec, site.announce());
    this.maintenance =
        new Maintenance(
            connections.claims(),
            processState,
            servedPipelines,
            new EndCallbackRuns(connections.claims(), codec, machine::freshRunId),
            scheduler,
            new Maintenance.MaintenanceDeps(
                settings,
                machine,
                dispatcher,
                ends,
                site.announce(),
                this::claimSoon,
                connections::openings));
    this.maintenanceLoops = maintenance.loops();
    this.heartbeat =
        new Heartbeat(
            connections.heartbeat().processes(),
            processState,
            settings.lease(),
            this::serving,
            machine,
            new ProgressReports(connections.heartbeat().subSteps(), inFlight));
    Duration beats = Heartbeat.interval(settings.lease());
    this.heartbeatLoop =
        new EngineLoop(
            "heartbeat", processState.backpressure().felt(heartbeat::beat), events, beats);
    Claimer claimer =
        new Claimer(
            connections.claims().tasks(),
            processState,
            dispatcher,
            servedPipelines,
            UNTOLD,
            machine);
    this.claimLoop =
        new EngineLoop("claimer", processState.backpressure().felt(claimer::poll), events);
    this.connectionLoop = new EngineLoop("connections", connections::tend, events);
    CommitReplyHandler replyHandler =
        new CommitReplyHandler(processState, dispatcher, ends, site.announce());
    this.settler = new TransactionalSettler(connections.claims(), processState, replyHandler);
    this.committers =
        new Committers(connections.commits(), processState, replyHandler, commitQueues, machine);
    this.leasedStarts =
        new LeasedStarts(
            processState,
            servedPipelines,
            dispatcher,
            connections.claims().tasks(),
            maintenance.poller()::notice);
  }

  /**
   * What a process serves.
   *
   * @param byLane its pipelines by lane
   * @param schedules those that it declares
   * @param waiters those who wait for runs in this process
   */
  public record Served(
      Map<Integer, Pipeline<?, ?>> byLane, List<Schedule<?>> schedules, RunWaiters waiters) {}

  private Scheduler scheduler(List<Schedule<?>> declared, PayloadCodec codec, Runnable announce) {
    Store store = connections.claims();
    EarlierRuns earlier = new EarlierRuns(store, processState, ends);
    return new Scheduler(
        store.schedules(),
        store.definitions(),
        declared,
        new ScheduleInputs(codec),
        new Scheduler.SchedulerDeps(
            machine::freshRunId, earlier::cancel, announce, events, connections::openings));
  }

  /** Joins and starts to work. */
  public void start() {
    join();
    loops().forEach(EngineLoop::start);
  }

  /** Joins; nothing runs yet. */
  public void join() {
    try {
      connections.connect();
    } catch (SQLException e) {
      throw new StoreException(StoreFailure.CONNECTION, e);
    }
    maintenance.pauser().perform(); // before anything is taken
    if (settings.role().maintains()) {
      scheduler.declare(); // a program that has started finds its schedules
    }
    heartbeat.join(processState.lease().member());
  }

  /** A process that joins again was forgotten, perhaps with what it had registered before. */
  private Serving serving() {
    if (joined) {
      servedPipelines.restore(connections.heartbeat().definitions());
    }
    joined = true;
    return servedPipelines.serving(settings.crashLimit());
  }

  /** All that runs once it is started, in the order in which it starts. */
  public List<EngineLoop> loops() {
    List<EngineLoop> loops = new ArrayList<>(List.of(heartbeatLoop));
    if (settings.role().works()) {
      loops.addAll(committers.loops());
      loops.add(claimLoop);
    }
    loops.add(connectionLoop);
    loops.addAll(maintenanceLoops);
    return loops;
  }

  /** The duties that must not wait for the database: a thread of the service performs them. */
  public List<Duty> watchDuties() {
    LeaseWatchdog watch = new LeaseWatchdog(processState, settings.lease());
    List<Duty> duties = new ArrayList<>(List.of(new Duty("lease_watchdog", watch::look, events)));
    if (settings.role().works()) {
      duties.add(new Duty("relief", this::relieve, events));
    }
    return duties;
  }

  public ProcessState processState() {
    return processState;
  }

  /** The id under which this process holds its lease at present. */
  public UUID processId() {
    return processState.lease().id();
  }

  /**
   * What it does at this moment.
   *
   * @param awaited how many runs callers wait for in this process
   */
  public EngineStats stats(int awaited) {
    int running = 0;
    int queued = 0;
    int ended = 0;
    for (Attempt attempt : processState.inFlight().attempts()) {
      if (attempt.isQueued()) {
        queued++;
      } else if (attempt.hasBody()) {
        running++;
      } else {
        ended++;
      }
    }
    return new EngineStats(
        settings.role().works() ? settings.concurrency() : 0,
        running,
        queued,
        ended,
        processState.capacity().settled(),
        awaited,
        connections.isConnected(),
        processState.lease().isTrusted());
  }

  /** The pipeline of a lane, if this process serves it. */
  public @Nullable Pipeline<?, ?> served(int lane) {
    return servedPipelines.find(lane);
  }

  /** Has the claimer look for work now: a notification says that there is some. */
  public void wakeClaimer() {
    claimLoop.wake();
    maintenance.poller().told();
  }

  private void claimSoon() {
    claimLoop.wake();
  }

  /** Notes whether this process is told of work that others start. */
  public void hears(boolean audible) {
    maintenance.poller().hears(audible);
  }

  /** Has the connection loop run now: a further connection is wanted. */
  public void tendConnections() {
    connectionLoop.wake();
  }

  /** Has the dispatcher look now for ended runs that something follows. */
  public void wakeRunEndDispatcher() {
    maintenance.wakeRunEndDispatcher();
  }

  /** Starts runs that this process takes up at once. */
  public LeasedStarts leasedStarts() {
    return leasedStarts;
  }

  /** Tells the bodies of a run that their results are not wanted any more. */
  public void interrupt(UUID run) {
    processState.interrupt(Set.of(run));
  }

  /** Learns now which lanes and runs are paused, without waiting for the next look. */
  public void heedPauses() {
    maintenance.pauser().perform();
  }

  private void wakeCommitter(int which) {
    committers.wake(which);
  }

  private Optional<TransactionalStep.Unconfirmed> settleJoined(Outcome outcome, Tasks tasks) {
    return settler.settle(outcome, tasks);
  }

  private void awaitWindow(Attempt expand) {
    maintenance.windows().await(expand);
  }

  /** Gives back what has waited for a body for long, since another process may have one free. */
  private Duration relieve() {
    if (pool.isBacklogged()) {
      pool.look();
      long longAgo = machine.nanoTime() - settings.pollInterval().toNanos() * 2;
      processState.inFlight().attempts().stream()
          .filter(attempt -> attempt.isQueued() && attempt.heldSince() - longAgo < 0)
          .filter(attempt -> !attempt.isSuspect() && attempt.yielding() == null)
          .forEach(processState::giveBack);
    }
    return settings.pollInterval();
  }

  /** Stops in good order: lets bodies finish within the grace, commits, gives back the rest. */
  @Override
  public void close() {
    processState.drain();
    claimLoop.close();
    ExitingBodies exiting = new ExitingBodies(processState.inFlight().attempts());
    processState.inFlight().attempts().stream()
        .filter(Attempt::isQueued)
        .forEach(processState::giveBack);
    if (!drained(settings.grace(), exiting)) {
      processState.inFlight().attempts().forEach(Attempt::cancel);
      if (!drained(Duration.ofSeconds(1), exiting)) {
        processState.inFlight().attempts().stream()
            .filter(attempt -> !exiting.contains(attempt))
            .forEach(processState::giveBack);
        drained(Duration.ofSeconds(2), exiting);
      }
    }
    connectionLoop.stop();
    committers.loops().forEach(EngineLoop::close);
    maintenanceLoops.forEach(EngineLoop::close);
    heartbeatLoop.close();
    leave(exiting.all());
    timeouts.close();
    processState.inFlight().attempts().forEach(Attempt::close);
    pool.close();
    connections.close();
  }

  private boolean drained(Duration within, ExitingBodies exiting) {
    long deadline = System.nanoTime() + within.toNanos();
    while (!processState.inFlight().attempts().stream().allMatch(exiting::contains)
        || !committers.areSettled()) {
      if (deadline - System.nanoTime() <= 0) {
        return false;
      }
      committers.wake();
      LockSupport.parkNanos(this, WATCH_DRAIN.toNanos());
    }
    return true;
  }

  /**
   * A database that cannot be reached now will see the lease run out and recover the rest. A
   * process that one of its own bodies ends does not leave: its lease is over at once, and the
   * process that reaps it counts the crash.
   */
  private void leave(Set<Attempt> exiting) {
    UUID id = processState.lease().id();
    try {
      if (exiting.isEmpty()) {
        connections.heartbeat().processes().leave(id);
      } else {
        exiting.forEach(
            attempt ->
                LOG.error("event=step_called_exit step={} : counts as a crash", attempt.step()));
        connections.heartbeat().processes().renew(id, Duration.ZERO);
      }
      events.publish(new Event.ProcessStopped(id));
    } catch (StoreException e) {
      events.publish(new Event.DatabaseLost("stop", String.valueOf(e.getMessage())));
    }
  }

  private Member member(String name) {
    return new Member(machine.freshId(), name, host(), ProcessHandle.current().pid());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}

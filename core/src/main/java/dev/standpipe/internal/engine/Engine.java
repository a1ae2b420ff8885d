package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Processes.Member;
import dev.standpipe.spi.Processes.Serving;
import dev.standpipe.spi.Runs.Entry;
import dev.standpipe.spi.Runs.NewRun;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks.Claimed;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that serves pipelines: makes the parts, gives each its loop, and stops them in order.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final Duration WATCH_DRAIN = Duration.ofMillis(5);

  /**
   * How long a claimer that finds nothing waits if nobody tells it of anything: the poller does.
   */
  private static final Duration UNTOLD = Duration.ofMinutes(1);

  private final Settings settings;
  private final Machine machine;
  private final Events events;
  private final Catalogue catalogue;
  private final Links links;
  private final Crew crew;
  private final Ends ends;
  private final Timeouts timeouts;
  private final Surge surge;
  private final BodyPool pool;
  private final Maintenance maintenance;
  private final Heart heart;
  private final List<Inbox> inboxes = new ArrayList<>();
  private final List<Committer> committers = new ArrayList<>();
  private final List<Loop> commitLoops = new ArrayList<>();
  private final List<Loop> maintenanceLoops;
  private final Loop heartLoop;
  private final Loop claimLoop;
  private final Loop linkLoop;
  private boolean joined;

  /**
   * Where a process works.
   *
   * @param links its connections to the database, which it closes
   * @param announce tells all processes that there are tasks to take
   * @param machine what it runs on
   */
  public record Site(Links links, Runnable announce, Machine machine) {}

  /** Makes the parts; nothing runs yet. */
  public Engine(Site site, Settings settings, PayloadCodec codec, Served served, Events events) {
    this.settings = settings;
    this.machine = site.machine();
    this.events = events;
    this.catalogue = new Catalogue(served.byLane());
    this.links = site.links();
    Membership nobody = new Membership(member(settings.name()), settings.lease(), machine);
    Hold hold = new Hold(settings.concurrency(), settings.maxBatch(), machine);
    this.crew = new Crew(nobody, hold, events);
    this.ends = new Ends(served.waiters(), events);
    ExecutorService bodies = machine.bodies();
    this.timeouts = new Timeouts(crew::finish, machine.timer(), bodies);
    this.maintenance =
        new Maintenance(
            links.claims(),
            crew,
            catalogue,
            new SequelDesk(links.claims(), codec, machine::freshRunId),
            new Maintenance.Means(settings, machine, ends, site.announce(), this::claimSoon));
    this.maintenanceLoops = maintenance.loops();
    Runner runner =
        new Runner(
            new Runner.Means(codec, links.claims(), machine::freshRunId, bodies),
            events,
            timeouts,
            new Runner.Exits(crew::finish, maintenance.windows()::await));
    this.surge = new Surge(crew.hold());
    this.pool =
        new BodyPool(settings.concurrency(), bodies, surge, work -> runIfTrusted(runner, work));
    this.heart =
        new Heart(links.heart().processes(), crew, settings.lease(), this::serving, machine);
    Duration beats = Heart.interval(settings.lease());
    this.heartLoop = new Loop("heart", crew.strain().felt(heart::beat), events, beats);
    Claimer claimer = new Claimer(links.claims().tasks(), crew, catalogue, UNTOLD, machine);
    this.claimLoop = new Loop("claimer", crew.strain().felt(claimer::poll), events);
    this.linkLoop = new Loop("links", links::tend, events);
    links.tendedBy(linkLoop::wake);
    Aftermath aftermath = new Aftermath(crew, ends, site.announce());
    links.commits().forEach(store -> inboxes.add(new Inbox()));
    for (Store store : links.commits()) {
      Inbox inbox = inboxes.get(committers.size());
      List<Inbox> others = inboxes.stream().filter(other -> other != inbox).toList();
      Committer.Mail mail = new Committer.Mail(inbox, others, settings.maxBatch());
      Committer committer = new Committer(store, crew, aftermath, mail, machine);
      committers.add(committer);
      Loop.Pass flush = crew.strain().felt(committer::flush);
      commitLoops.add(new Loop("committer-" + committers.size(), flush, events));
    }
    crew.connect(pool::submit, this::commit, claimLoop::wake);
  }

  /**
   * What a process serves.
   *
   * @param byLane its pipelines by lane
   * @param waiters those who wait for runs in this process
   */
  public record Served(Map<Integer, Pipeline<?, ?>> byLane, Waiters waiters) {}

  /** Joins and starts to work. */
  public void start() {
    join();
    loops().forEach(Loop::start);
  }

  /** Joins; nothing runs yet. */
  void join() {
    try {
      links.connect();
    } catch (SQLException e) {
      throw new StoreException(SqlFailure.CONNECTION, e);
    }
    maintenance.pauser().look(); // before anything is taken
    heart.join(crew.membership().member());
  }

  /** A process that joins again was forgotten, perhaps with what it had registered before. */
  private Serving serving() {
    if (joined) {
      catalogue.restore(links.heart().definitions());
    }
    joined = true;
    return catalogue.serving(settings.crashLimit());
  }

  /** All that runs once it is started, in the order in which it starts. */
  List<Loop> loops() {
    List<Loop> loops = new ArrayList<>(List.of(heartLoop));
    if (settings.role().works()) {
      loops.addAll(commitLoops);
      loops.add(claimLoop);
    }
    loops.add(linkLoop);
    loops.addAll(maintenanceLoops);
    return loops;
  }

  /** What must not wait for the database: somebody else's thread performs it. */
  List<Duty> watchDuties() {
    Watch watch = new Watch(crew, settings.lease());
    List<Duty> duties = new ArrayList<>(List.of(new Duty("watch", watch::look, events)));
    if (settings.role().works()) {
      duties.add(new Duty("relief", this::relieve, events));
    }
    return duties;
  }

  Crew crew() {
    return crew;
  }

  /** The id under which this process holds its lease at present. */
  public UUID processId() {
    return crew.membership().id();
  }

  /** Whether it has the connections without which there is no working. */
  boolean isConnected() {
    return links.isConnected();
  }

  /** The pipeline of a lane, if this process serves it. */
  @Nullable Pipeline<?, ?> served(int lane) {
    return catalogue.find(lane);
  }

  /** Has the claimer look for work now: somebody says that there is some. */
  void wakeClaimer() {
    claimLoop.wake();
    maintenance.poller().told();
  }

  private void claimSoon() {
    claimLoop.wake();
  }

  /** Notes whether this process is told of work that others start. */
  void hears(boolean audible) {
    maintenance.poller().hears(audible);
  }

  /** Has what follows the ends of runs seen to now. */
  void wakeFollower() {
    maintenance.wakeFollower();
  }

  /**
   * Sets room aside for the first tasks of a run, so that they can be started already leased.
   *
   * @return the owner to lease them to, or {@code null} if there is no room
   */
  @Nullable UUID reserve(int lane, int tasks) {
    Membership membership = crew.membership();
    if (catalogue.find(lane) == null || !membership.isTrusted() || crew.hold().isPaused(lane)) {
      return null;
    }
    int granted = crew.hold().reserve(tasks);
    if (granted == tasks) {
      return membership.id();
    }
    crew.hold().unreserve(granted);
    return null;
  }

  /** Takes up the first tasks of a run that was started leased to this process. */
  void takeUp(UUID owner, int lane, NewRun run, List<Entry> entries) {
    maintenance.poller().notice();
    List<Work> works = new ArrayList<>();
    for (Entry entry : entries) {
      Claimed task =
          new Claimed(
              run.id(), entry.task(), entry.node(), 0, lane, run.priority(), 1, 1, 0, true, 0);
      Work work = Work.of(owner, catalogue.pipeline(lane), task.first(run.input(), null));
      crew.hold().add(work);
      if (events.perStep()) {
        events.publish(new Event.LeaseAcquired(work.step(), owner));
      }
      works.add(work);
    }
    crew.dispatch(links.claims().tasks(), works);
  }

  /** Tells the bodies of a run that nobody wants their results. */
  void interrupt(UUID run) {
    crew.interrupt(Set.of(run));
  }

  /** Learns what is paused now, without waiting until it looks. */
  void heedPauses() {
    maintenance.pauser().look();
  }

  /** Gives up room that was set aside for a run that was not started. */
  void unreserve(int tasks) {
    crew.hold().unreserve(tasks);
  }

  /** Notes that it is not known whether a start took effect. */
  void doubt() {
    crew.doubt();
  }

  /** Takes or starts tasks while what is held may not be compared with the database. */
  <T> T moving(Supplier<T> action) {
    return crew.hold().moving(action);
  }

  private void runIfTrusted(Runner runner, Work work) {
    if (crew.membership().isTrusted() && !work.isCanceled()) {
      runner.run(work);
    } else {
      crew.giveBack(work);
    }
  }

  /**
   * All of a run goes to one committer, which counts its arrivals at a fan-in together. If that has
   * too much to do, another helps out.
   */
  private void commit(Outcome outcome) {
    surge.observe(outcome);
    int which = Math.floorMod(outcome.work().affinity(), inboxes.size());
    inboxes.get(which).add(outcome);
    commitLoops.get(which).wake();
    if (inboxes.get(which).size() > settings.maxBatch()) {
      commitLoops.forEach(Loop::wake);
    }
  }

  /** Gives back what has waited for a body for long, since another process may have one free. */
  private Duration relieve() {
    if (pool.isBacklogged()) {
      pool.look();
      long longAgo = machine.nanoTime() - settings.pollInterval().toNanos() * 2;
      crew.hold().works().stream()
          .filter(work -> work.isQueued() && work.heldSince() - longAgo < 0)
          .filter(work -> !work.isSuspect() && work.yielding() == null)
          .forEach(crew::giveBack);
    }
    return settings.pollInterval();
  }

  /** Stops in good order: lets bodies finish within the grace, commits, gives back the rest. */
  @Override
  public void close() {
    crew.drain();
    claimLoop.close();
    ExitingBodies exiting = new ExitingBodies(crew.hold().works());
    crew.hold().works().stream().filter(Work::isQueued).forEach(crew::giveBack);
    if (!drained(settings.grace(), exiting)) {
      crew.hold().works().forEach(Work::cancel);
      if (!drained(Duration.ofSeconds(1), exiting)) {
        crew.hold().works().stream()
            .filter(work -> !exiting.contains(work))
            .forEach(crew::giveBack);
        drained(Duration.ofSeconds(2), exiting);
      }
    }
    linkLoop.stop();
    commitLoops.forEach(Loop::close);
    maintenanceLoops.forEach(Loop::close);
    heartLoop.close();
    leave(exiting.all());
    timeouts.close();
    crew.hold().works().forEach(Work::close);
    pool.close();
    links.close();
  }

  private boolean drained(Duration within, ExitingBodies exiting) {
    long deadline = System.nanoTime() + within.toNanos();
    while (!crew.hold().works().stream().allMatch(exiting::contains)
        || !committers.stream().allMatch(Committer::isSettled)) {
      if (deadline - System.nanoTime() <= 0) {
        return false;
      }
      commitLoops.forEach(Loop::wake);
      LockSupport.parkNanos(this, WATCH_DRAIN.toNanos());
    }
    return true;
  }

  /**
   * A database that cannot be reached now will see the lease run out and recover the rest. A
   * process that one of its own bodies ends does not leave: its lease is over at once, and whoever
   * reaps it counts the crash.
   */
  private void leave(Set<Work> exiting) {
    UUID id = crew.membership().id();
    try {
      if (exiting.isEmpty()) {
        links.heart().processes().leave(id);
      } else {
        exiting.forEach(
            work -> LOG.error("event=step_called_exit step={} : counts as a crash", work.step()));
        links.heart().processes().renew(id, Duration.ZERO);
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

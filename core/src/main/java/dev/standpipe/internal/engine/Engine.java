package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.Sql;
import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Processes.Member;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process that serves pipelines: makes the parts, gives each its loop, and stops them in order.
 */
public final class Engine implements AutoCloseable {
  private static final Duration WATCH_DRAIN = Duration.ofMillis(5);

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
  private final Windows windows;
  private final Pauser pauser;
  private final Heart heart;
  private final List<Inbox> inboxes = new ArrayList<>();
  private final List<Committer> committers = new ArrayList<>();
  private final List<Loop> commitLoops = new ArrayList<>();
  private final List<Loop> otherLoops = new ArrayList<>();
  private final Loop heartLoop;
  private final Loop claimLoop;
  private final Loop linkLoop;
  private final Loop followLoop;

  /**
   * Where a process works.
   *
   * @param source its database
   * @param dialect the kind of it
   * @param sql its statements
   * @param announce tells all processes that there are tasks to take
   * @param machine what it runs on
   */
  public record Site(
      DataSource source, Dialect dialect, Sql sql, Runnable announce, Machine machine) {}

  /** Makes the parts; nothing runs yet. */
  public Engine(Site site, Settings settings, PayloadCodec codec, Served served, Events events) {
    this.settings = settings;
    this.machine = site.machine();
    this.events = events;
    this.catalogue = new Catalogue(served.byLane());
    this.links = new Links(site.source(), site.dialect(), site.sql(), settings.lease());
    Membership nobody = new Membership(member(settings.name()), settings.lease(), machine);
    Hold hold = new Hold(settings.concurrency(), settings.maxBatch(), machine);
    this.crew = new Crew(nobody, hold, events);
    this.ends = new Ends(served.waiters(), events);
    this.timeouts = new Timeouts(crew::finish, machine.timer());
    this.pauser = new Pauser(links.claims().pauses(), crew, settings.pollInterval());
    this.windows = new Windows(crew, links.claims().tasks(), settings.pollInterval());
    Runner runner =
        new Runner(
            new Runner.Means(codec, links.claims(), machine::freshRunId),
            events,
            timeouts,
            new Runner.Exits(crew::finish, windows::await));
    this.surge = new Surge(crew.hold());
    this.pool =
        new BodyPool(
            settings.concurrency(), machine.bodies(), surge, work -> runIfTrusted(runner, work));
    this.heart =
        new Heart(
            links.heart().processes(),
            crew,
            settings.lease(),
            catalogue.serving(settings.crashLimit()),
            machine);
    this.heartLoop = new Loop("heart", crew.strain().felt(heart::beat), events);
    Claimer claimer =
        new Claimer(links.claims().tasks(), crew, catalogue, settings.pollInterval(), machine);
    this.claimLoop = new Loop("claimer", crew.strain().felt(claimer::poll), events);
    this.linkLoop = new Loop("links", links::connectSpare, events);
    SequelDesk sequels = new SequelDesk(links.claims(), codec, machine::freshRunId);
    Follower follower =
        new Follower(links.claims(), sequels, ends, site.announce(), settings.pollInterval());
    this.followLoop = new Loop("follower", follower::follow, events);
    ends.connect(followLoop::wake);
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
    addOtherLoops(site.announce());
  }

  /**
   * What a process serves.
   *
   * @param byLane its pipelines by lane
   * @param waiters those who wait for runs in this process
   */
  public record Served(Map<Integer, Pipeline<?, ?>> byLane, Waiters waiters) {}

  private void addOtherLoops(Runnable announce) {
    Store claims = links.claims();
    Duration lease = settings.lease();
    Duration poll = settings.pollInterval();
    Watch watch = new Watch(crew, lease);
    Sweeper sweeper = new Sweeper(claims, crew, ends, announce, lease);
    Promoter promoter = new Promoter(claims.tasks(), announce, poll);
    SuspectClaimer suspects =
        new SuspectClaimer(claims.tasks(), crew, catalogue, settings, machine);
    Reconciler reconciler = new Reconciler(claims.tasks(), crew, poll);
    Canceler canceler = new Canceler(claims.runs(), crew, ends, poll);
    DeadlineWatch deadlines = new DeadlineWatch(claims, crew, ends, poll);
    otherLoops.add(new Loop("watch", watch::look, events));
    otherLoops.add(followLoop);
    if (settings.role().maintains()) {
      otherLoops.add(new Loop("sweeper", sweeper::sweep, events));
      otherLoops.add(new Loop("promoter", promoter::promote, events));
      otherLoops.add(new Loop("deadlines", deadlines::look, events));
    }
    if (settings.role().works()) {
      otherLoops.add(new Loop("suspects", suspects::poll, events));
      otherLoops.add(new Loop("reconciler", reconciler::reconcile, events));
      otherLoops.add(new Loop("canceler", canceler::look, events));
      otherLoops.add(new Loop("pauser", pauser::look, events));
      otherLoops.add(new Loop("relief", this::relieve, events));
      Loop windowLoop = new Loop("windows", windows::look, events);
      windows.onWait(windowLoop::wake);
      otherLoops.add(windowLoop);
    }
  }

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
    pauser.look(); // before anything is taken
    heart.join(crew.membership().member());
  }

  /** All that runs once it is started, in the order in which it starts. */
  List<Loop> loops() {
    List<Loop> loops = new ArrayList<>(List.of(heartLoop));
    if (settings.role().works()) {
      loops.addAll(commitLoops);
      loops.add(claimLoop);
    }
    loops.add(linkLoop);
    loops.addAll(otherLoops);
    return loops;
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

  /** Has the claimer look for work now. */
  void wakeClaimer() {
    claimLoop.wake();
  }

  /** Has what follows the ends of runs seen to now. */
  void wakeFollower() {
    followLoop.wake();
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
    pauser.look();
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
    crew.hold().works().stream().filter(Work::isQueued).forEach(crew::giveBack);
    if (!drained(settings.grace())) {
      crew.hold().works().forEach(Work::cancel);
      if (!drained(Duration.ofSeconds(1))) {
        crew.hold().works().forEach(crew::giveBack);
        drained(Duration.ofSeconds(2));
      }
    }
    linkLoop.stop();
    commitLoops.forEach(Loop::close);
    otherLoops.forEach(Loop::close);
    heartLoop.close();
    leave();
    timeouts.close();
    pool.close();
    crew.hold().works().forEach(Work::close);
    links.close();
  }

  private boolean drained(Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    while (!crew.hold().works().isEmpty() || !committers.stream().allMatch(Committer::isSettled)) {
      if (deadline - System.nanoTime() <= 0) {
        return false;
      }
      commitLoops.forEach(Loop::wake);
      LockSupport.parkNanos(this, WATCH_DRAIN.toNanos());
    }
    return true;
  }

  /** A database that cannot be reached now will see the lease run out and recover the rest. */
  private void leave() {
    UUID id = crew.membership().id();
    try {
      links.heart().processes().leave(id);
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

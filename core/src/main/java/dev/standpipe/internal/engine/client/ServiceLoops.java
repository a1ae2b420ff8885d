package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.lease.EngineConnections;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.LoopWatchdog;
import dev.standpipe.internal.engine.outbox.Relays;
import dev.standpipe.internal.port.Notifier;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The background work of a {@link Service}: the engine if it serves pipelines, notifications to and
 * from other processes, questions about the runs that callers wait for, and the watchdog of all
 * these.
 */
final class ServiceLoops {
  /** A close waits so long at most for the listening thread, which is told to end. */
  private static final Duration LONGEST_LISTEN = Duration.ofMillis(200);

  private static final Duration LONGEST_CALL = Duration.ofSeconds(1);
  private static final int LISTENS_PER_LEASE = 20;

  private final @Nullable Engine engine;
  private final Notifier notifier;
  private final RunWaiters waiters;
  private final LoopWatchdog loopWatchdog;
  private final Duty notifyDuty;
  private final Duty waitDuty;
  private final EngineLoop watchLoop;
  private final EngineLoop callLoop;
  private final EngineLoop listenLoop;
  private final Relays relays;

  /**
   * How the parts are made, of what they need of each other.
   *
   * @param connections the engine's connections, given what has them tended soon
   * @param notifier where hints are sent, and listened for on the engine's connections
   * @param waited where runs are looked up that callers wait for
   * @param engine the engine, or none if nothing is served
   * @param calls has the connection for calls tended
   * @param relays publish events, if there are sinks
   */
  record PartMakers(
      Function<Runnable, EngineConnections> connections,
      Function<EngineConnections, Notifier> notifier,
      RunQueries waited,
      EngineMaker engine,
      Runnable calls,
      Relays relays) {}

  /** Makes the engine. */
  interface EngineMaker {
    @Nullable Engine make(EngineConnections connections, Runnable announce, RunWaiters waiters);
  }

  ServiceLoops(PartMakers parts, Settings settings, Events events) {
    EngineConnections connections = parts.connections().apply(this::tendConnections);
    this.notifier = parts.notifier().apply(connections);
    this.waiters = new RunWaiters(parts.waited(), settings.pollInterval(), this::wakeWaiters);
    this.loopWatchdog = new LoopWatchdog(events);
    this.notifyDuty = new Duty("notifier", notifier::sendIfRequested, events);
    this.waitDuty = new Duty("waiters", this::awaitAndCheckWatch, events);
    this.callLoop = new EngineLoop("callers", List.of(notifyDuty, waitDuty));
    Duration listen = longestListen(settings);
    this.listenLoop = new EngineLoop("listener", () -> listen(listen), events);
    this.relays = parts.relays();
    this.engine = parts.engine().make(connections, this::announce, waiters);
    List<Duty> watching = new ArrayList<>();
    watching.add(new Duty("loop_watchdog", () -> tendAndWatchLoops(parts.calls()), events));
    if (engine != null) {
      watching.addAll(engine.watchDuties());
    }
    this.watchLoop = new EngineLoop("watch", watching);
    loopWatchdog.lookAfter(List.of(callLoop, listenLoop));
    loopWatchdog.lookAfter(relays.loops());
  }

  @Nullable Engine engine() {
    return engine;
  }

  RunWaiters waiters() {
    return waiters;
  }

  void start() {
    relays.addSinks();
    callLoop.start();
    if (engine != null) {
      engine.start();
      if (notifier.isAudible()) {
        listenLoop.start();
      }
      loopWatchdog.lookAfter(engine.loops());
    }
    relays.loops().forEach(EngineLoop::start);
    watchLoop.start();
  }

  void stop() {
    listenLoop.stop();
    relays.close();
    if (engine != null) {
      notifier.wakeListener();
      notifyDuty.wake();
      engine.close();
    }
    watchLoop.close();
    callLoop.close(LONGEST_CALL);
    waiters.close();
    notifier.close();
  }

  /** Tells this process and the others that there are tasks to take. */
  void announce() {
    if (engine != null) {
      engine.wakeClaimer();
    }
    relays.wake();
    if (notifier.request()) {
      notifyDuty.wake();
    }
  }

  private void tendConnections() {
    if (engine != null) {
      engine.tendConnections();
    }
  }

  private void wakeWaiters() {
    waitDuty.wake();
  }

  private Duration tendAndWatchLoops(Runnable tendCalls) {
    tendCalls.run();
    return loopWatchdog.make();
  }

  /** Somebody has to look after the one that looks after the others. */
  private Duration awaitAndCheckWatch() {
    loopWatchdog.look(watchLoop);
    return waiters.poll();
  }

  /** Heartbeats come in between. */
  private static Duration longestListen(Settings settings) {
    Duration wait = LONGEST_LISTEN;
    for (Duration other :
        List.of(settings.pollInterval(), settings.lease().dividedBy(LISTENS_PER_LEASE))) {
      wait = other.compareTo(wait) < 0 ? other : wait;
    }
    return wait;
  }

  private Duration listen(Duration atMost) {
    Engine served = Objects.requireNonNull(engine, "only who serves listens");
    if (!notifier.isAudible()) {
      served.hears(false);
      return Duration.ofHours(1);
    }
    try {
      if (notifier.listen(atMost)) {
        served.wakeClaimer();
        relays.wake();
      }
      served.hears(true);
    } catch (StoreException e) {
      served.hears(false);
      throw e;
    }
    return Duration.ZERO;
  }
}

package dev.standpipe.internal.engine.outbox;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.outbox.StoredOutbox;
import dev.standpipe.outbox.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The workers of all sinks that a program declares, each with a thread of its own. Of the workers
 * of a sink, the first asks for work and wakes the others when there is some.
 */
public final class Relays implements AutoCloseable {
  private static final Duration UNTIL_WOKEN = Duration.ofMinutes(1);
  private static final int REST = 5;
  private static final int LINGER = 25;

  private final List<Sink> sinks;
  private final StoredOutbox outbox;
  private final Duration pollInterval;
  private final List<EngineLoop> loops = new ArrayList<>();
  private final List<Duty> first = new ArrayList<>();
  private final List<GuardedSinkCaller> callers = new ArrayList<>();

  /** Makes them; nothing runs yet. */
  public Relays(List<Sink> sinks, StoredOutbox outbox, Duration pollInterval, Events events) {
    this.sinks = List.copyOf(sinks);
    this.outbox = outbox;
    this.pollInterval = pollInterval;
    for (Sink sink : sinks) {
      GuardedSinkCaller caller = new GuardedSinkCaller(sink.name(), sink.policy().timeout());
      callers.add(caller);
      AtomicBoolean failing = new AtomicBoolean();
      List<Duty> others = new ArrayList<>();
      for (int i = 1; i < sink.policy().workers(); i++) {
        RelayWorker worker = worker(sink, outbox, caller, failing, events);
        others.add(new Duty("relay", () -> worker.work() ? Duration.ZERO : UNTIL_WOKEN, events));
      }
      Leader leader = new Leader(worker(sink, outbox, caller, failing, events), others);
      Duty leading = new Duty("relay", leader::pass, events);
      first.add(leading);
      loops.add(new EngineLoop("relay-" + sink.name(), List.of(leading)));
      for (int i = 0; i < others.size(); i++) {
        loops.add(new EngineLoop("relay-" + sink.name() + "-" + (i + 1), List.of(others.get(i))));
      }
    }
  }

  private static RelayWorker worker(
      Sink sink, StoredOutbox outbox, SinkCaller caller, AtomicBoolean failing, Events events) {
    return new RelayWorker(
        sink,
        outbox,
        caller,
        new RelayWorker.RelayDeps(
            Machine.REAL.freshId(),
            Machine.REAL::nanoTime,
            () -> ThreadLocalRandom.current().nextDouble(),
            failing,
            events));
  }

  /** The first worker of a sink, which looks for work though nobody told it of any. */
  private final class Leader {
    private final RelayWorker worker;
    private final List<Duty> others;
    private int idle;

    Leader(RelayWorker worker, List<Duty> others) {
      this.worker = worker;
      this.others = others;
    }

    Duration pass() {
      if (worker.work()) {
        idle = 0;
        others.forEach(Duty::wake);
        return Duration.ZERO;
      }
      idle++;
      return idle < LINGER ? pollInterval : pollInterval.multipliedBy(REST);
    }
  }

  /** Makes the sinks known, so that they get all that this process is about to emit. */
  public void addSinks() {
    sinks.forEach(sink -> outbox.addSink(sink.name()));
  }

  /** A loop for each worker. */
  public List<EngineLoop> loops() {
    return List.copyOf(loops);
  }

  /** Has them look for events now. */
  public void wake() {
    first.forEach(Duty::wake);
  }

  /** Lets what is being published be noted, within a time. */
  @Override
  public void close() {
    loops.forEach(EngineLoop::stop);
    loops.forEach(EngineLoop::close);
    callers.forEach(GuardedSinkCaller::close);
  }
}

package dev.standpipe.internal.simulation;

import dev.standpipe.internal.engine.loop.Machine;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/** A machine whose clock, ids and threads a simulation decides. */
public final class SimMachine implements Machine {
  final SimThreads bodies = new SimThreads();
  final SimThreads timer = new SimThreads();
  private final SimTime time;
  private final RandomGenerator ids;
  private long isAhead;

  public SimMachine(SimTime time, RandomGenerator ids) {
    this.time = time;
    this.ids = ids;
  }

  /** Its clock goes wrong by so much. */
  void jump(Duration by) {
    isAhead += by.toNanos();
    time.disturb(by);
  }

  @Override
  public long nanoTime() {
    return time.now() + isAhead;
  }

  @Override
  public void joining(UUID process) {}

  @Override
  public UUID freshId() {
    return new UUID(ids.nextLong(), ids.nextLong());
  }

  @Override
  public UUID freshRunId() {
    return freshId();
  }

  @Override
  public ExecutorService bodies() {
    return bodies;
  }

  @Override
  public ScheduledExecutorService timer() {
    return timer;
  }
}

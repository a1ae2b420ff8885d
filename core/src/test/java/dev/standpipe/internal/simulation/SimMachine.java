package dev.standpipe.internal.simulation;

import dev.standpipe.internal.engine.loop.Machine;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** A machine whose clock, ids and threads a simulation decides. */
public final class SimMachine implements Machine {
  final SimThreads bodies = new SimThreads();
  final SimThreads timer = new SimThreads();
  private final SimTime time;
  private final RandomGenerator ids;
  private long isAhead;
  private Predicate<CompletableFuture<?>> waiting = CompletableFuture::isDone;

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

  /** Has others act while a body waits. */
  void whileWaiting(Predicate<CompletableFuture<?>> others) {
    waiting = others;
  }

  @Override
  public boolean await(CompletableFuture<?> reply, Duration within) {
    return waiting.test(reply);
  }

  @Override
  public ScheduledExecutorService timer() {
    return timer;
  }
}

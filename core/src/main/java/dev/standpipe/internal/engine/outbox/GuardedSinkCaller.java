package dev.standpipe.internal.engine.outbox;

import dev.standpipe.info.StepError;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls one sink on threads of its own, each call within the sink's time. A call that does not
 * return keeps its thread; there are never more than a few of those. Thread-safe.
 */
final class GuardedSinkCaller implements SinkCaller, AutoCloseable {
  private static final int MOST_LEFT_BEHIND = 8;

  private final Duration timeout;
  private final ExecutorService threads;
  private final AtomicInteger under = new AtomicInteger();

  GuardedSinkCaller(String name, Duration timeout) {
    this.timeout = timeout;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "standpipe-sink-" + name);
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public Optional<String> publish(Sink sink, List<OutboxEvent> events) {
    if (under.get() >= MOST_LEFT_BEHIND + sink.policy().workers()) {
      return Optional.of(
          "%d earlier calls of the sink have not returned yet: it does not heed interrupts"
              .formatted(MOST_LEFT_BEHIND));
    }
    FutureTask<Optional<String>> call = new FutureTask<>(() -> call(sink, events));
    try {
      threads.execute(call);
      return call.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      return Optional.of("The sink's call ended without an answer");
    } catch (TimeoutException e) {
      call.cancel(true);
      return Optional.of("The sink has not answered within " + timeout);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a sink was called", e);
    }
  }

  /** What is thrown here is the user's code, too: its text is made here. */
  private Optional<String> call(Sink sink, List<OutboxEvent> events) {
    under.incrementAndGet();
    try {
      sink.publish(events);
      return Optional.empty();
    } catch (Throwable e) {
      StepError error = ErrorText.of(e);
      return Optional.of(error.type() + ": " + error.message());
    } finally {
      under.decrementAndGet();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

package dev.standpipe.internal.engine.event;

import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.loop.Threads;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Listener;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one listener on a thread of its own, event by event, in the order in which they happened. A
 * listener that is slow or blocks does not hold up the engine: its queue is bounded, and events
 * that do not fit are dropped, counted and logged. The thread lives only while there are events.
 * Thread-safe.
 */
public final class ListenerQueue implements Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerQueue.class);

  /** Counted in plain events; one with a stack trace weighs as much as several. */
  private static final int MOST_WAITING = 50_000;

  private static final int PLAIN_CHARS = 200;
  private static final Duration KEEP_THREAD = Duration.ofSeconds(1);
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

  private final Listener listener;
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final ThreadPoolExecutor thread;
  private volatile @Nullable Thread calling;

  ListenerQueue(Listener listener) {
    this.listener = listener;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            KEEP_THREAD.toNanos(),
            TimeUnit.NANOSECONDS,
            new LinkedBlockingQueue<>(),
            Threads.daemons("standpipe-listener-"));
    thread.allowCoreThreadTimeOut(true);
  }

  /** Queues an event for the listener. */
  @Override
  public void on(Event event) {
    long weight = weight(event);
    if (waiting.addAndGet(weight) > MOST_WAITING) {
      waiting.addAndGet(-weight);
      drop(event);
      return;
    }
    try {
      thread.execute(() -> tell(event, weight));
    } catch (RejectedExecutionException e) { // closed: nobody listens any more
      waiting.addAndGet(-weight);
    } catch (RuntimeException | Error e) { // no thread to be had, or no memory
      waiting.addAndGet(-weight);
      drop(event);
    }
  }

  private void drop(Event event) {
    long count = dropped.incrementAndGet();
    if (Long.bitCount(count) == 1) { // the 1st, 2nd, 4th, 8th …: it may be every step's
      LOG.warn(
          "event=events_dropped count={} name={} : a listener does not keep up; have it hand"
              + " events on and return",
          count,
          event.name());
    }
  }

  private void tell(Event event, long weight) {
    calling = Thread.currentThread();
    try {
      listener.on(event);
    } catch (Throwable e) { // the next event may find it in a better mood
      LOG.warn("event=listener_failed name={} error={}", event.name(), ErrorText.text(e));
    } finally {
      calling = null;
      waiting.addAndGet(-weight);
    }
  }

  private static long weight(Event event) {
    return event instanceof Event.ExecutionFailed failed
        ? 1 + (failed.error().message().length() + failed.error().trace().length()) / PLAIN_CHARS
        : 1;
  }

  /** Delivers the queued events to the listener, and waits for that, though not for long. */
  @Override
  public void close() {
    thread.shutdown();
    if (Thread.currentThread() == calling) {
      return; // the listener itself closes what it listens to
    }
    boolean interrupted = Thread.interrupted();
    try {
      if (!thread.awaitTermination(LONGEST_CLOSE.toNanos(), TimeUnit.NANOSECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      thread.shutdownNow();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

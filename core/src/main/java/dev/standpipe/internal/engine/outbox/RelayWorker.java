package dev.standpipe.internal.engine.outbox;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.outbox.StoredOutbox;
import dev.standpipe.internal.outbox.StoredOutbox.DueEvent;
import dev.standpipe.internal.outbox.StoredOutbox.FailedEvent;
import dev.standpipe.internal.outbox.StoredOutbox.Noted;
import dev.standpipe.internal.outbox.StoredOutbox.SlotLease;
import dev.standpipe.outbox.Sink;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Publishes to one sink: claims a slot, has the sink take what is due there, notes what became of
 * it, and gives the slot back. Several workers, here and in other processes, share the slots of a
 * sink. For one thread.
 */
public final class RelayWorker {
  /** How often a sink is made known again, as a failover may have lost it. */
  private static final Duration KNOWN_FOR = Duration.ofSeconds(10);

  /** How long a worker stays with a slot that has more to publish. */
  private static final Duration STAY = Duration.ofMillis(500);

  private static final int FIRST_BATCH = 50;
  private static final long MOST_BYTES = 4 << 20;

  private final Sink sink;
  private final StoredOutbox outbox;
  private final SinkCaller caller;
  private final RelayDeps deps;
  private final SinkBackoff backoff;
  private final Duration lease;
  private final int most;
  private int limit;
  private boolean known;
  private boolean busy = true;
  private long knownAt;

  /**
   * What a worker works with.
   *
   * @param owner tells it from other workers
   * @param nanoTime the monotonic clock
   * @param dice for jitter
   * @param failing whether the sink fails, as far as the workers of this process know
   * @param events where it reports
   */
  public record RelayDeps(
      UUID owner,
      LongSupplier nanoTime,
      DoubleSupplier dice,
      AtomicBoolean failing,
      Events events) {}

  public RelayWorker(Sink sink, StoredOutbox outbox, SinkCaller caller, RelayDeps deps) {
    this.sink = sink;
    this.outbox = outbox;
    this.caller = caller;
    this.deps = deps;
    this.backoff = new SinkBackoff(sink.policy(), deps.dice());
    this.lease = sink.policy().timeout().multipliedBy(3).plusSeconds(5);
    this.most = sink.policy().batch() == 1 ? FIRST_BATCH : sink.policy().batch();
    this.limit = Math.min(FIRST_BATCH, most);
  }

  /** One pass; says whether there may be more to do at once. */
  public boolean work() {
    makeKnown();
    if (!busy && !outbox.isReady(sink.name())) {
      return false;
    }
    Optional<SlotLease> claimed = outbox.claim(sink.name(), deps.owner(), lease);
    claimed.ifPresent(this::serve);
    busy = claimed.isPresent();
    return busy;
  }

  private void makeKnown() {
    long now = deps.nanoTime().getAsLong();
    if (!known || now - knownAt >= KNOWN_FOR.toNanos()) {
      outbox.addSink(sink.name());
      known = true;
      knownAt = now;
    }
  }

  private void serve(SlotLease slot) {
    long until = deps.nanoTime().getAsLong() + STAY.toNanos();
    int failures = slot.failures();
    boolean more = true;
    while (more) {
      List<DueEvent> due = outbox.due(slot, limit);
      if (due.isEmpty()) {
        break;
      }
      long late = deps.nanoTime().getAsLong() + sink.policy().timeout().toNanos();
      PublishedBatch batch = new PublishedBatch(sink, caller, backoff, () -> passed(late));
      Noted noted = batch.publish(due);
      if (!outbox.note(slot, lease, noted)) {
        return; // another relay has the slot, and publishes what was not noted
      }
      report(batch, noted.dead());
      failures = batch.isRefusedByAll() ? failures + 1 : 0;
      more = failures == 0 && due.size() == limit && !passed(until);
      adapt(due, !batch.error().isEmpty());
    }
    outbox.giveBack(slot, failures, failures == 0 ? Duration.ZERO : backoff.after(failures));
  }

  private boolean passed(long time) {
    return deps.nanoTime().getAsLong() - time >= 0;
  }

  /** Large events come in small batches, and those that a sink is slow with: see the time-out. */
  private void adapt(List<DueEvent> due, boolean failed) {
    long bytes = due.stream().mapToLong(one -> one.event().payload().length()).sum();
    if (failed || bytes > MOST_BYTES) {
      limit = Math.max(1, limit / 4);
    } else if (due.size() == limit && bytes * 4 < MOST_BYTES) {
      limit = Math.min(most, limit * 2);
    }
  }

  private void report(PublishedBatch batch, List<FailedEvent> dead) {
    if (batch.isRefusedByAll() && deps.failing().compareAndSet(false, true)) {
      deps.events().publish(new Event.SinkFailing(sink.name(), batch.error()));
    } else if (batch.error().isEmpty() && deps.failing().compareAndSet(true, false)) {
      deps.events().publish(new Event.SinkBack(sink.name()));
    }
    for (FailedEvent one : dead) {
      deps.events()
          .publish(
              new Event.EventUndeliverable(
                  sink.name(),
                  one.event().event().id(),
                  one.event().event().type(),
                  one.error().orElse("")));
    }
  }
}

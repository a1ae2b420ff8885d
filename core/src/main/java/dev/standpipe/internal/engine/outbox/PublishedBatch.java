package dev.standpipe.internal.engine.outbox;

import dev.standpipe.internal.outbox.StoredOutbox.DueEvent;
import dev.standpipe.internal.outbox.StoredOutbox.FailedEvent;
import dev.standpipe.internal.outbox.StoredOutbox.Noted;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Has a sink take the events of one batch, and tells what became of each. All at once first; if
 * that fails, one by one, so that an event that the sink does not like holds up its own subject
 * only. For one thread.
 */
final class PublishedBatch {
  /** If so many subjects in a row fail, the sink is to blame. */
  private static final int ENOUGH = 3;

  private final Sink sink;
  private final SinkCaller caller;
  private final SinkBackoff backoff;
  private final BooleanSupplier late;
  private final List<DueEvent> taken = new ArrayList<>();
  private final List<FailedEvent> failed = new ArrayList<>();
  private final List<FailedEvent> dead = new ArrayList<>();
  private final Map<String, Duration> waiting = new HashMap<>();
  private String error = "";

  /**
   * A batch.
   *
   * @param late whether there is no time left for another call; one event is tried all the same
   */
  PublishedBatch(Sink sink, SinkCaller caller, SinkBackoff backoff, BooleanSupplier late) {
    this.sink = sink;
    this.caller = caller;
    this.backoff = backoff;
    this.late = late;
  }

  /** Publishes them. */
  Noted publish(List<DueEvent> due) {
    List<DueEvent> open = new ArrayList<>();
    for (DueEvent one : due) {
      if (one.blocked().isZero()) {
        open.add(one);
      } else {
        putOff(one, one.blocked());
      }
    }
    if (!open.isEmpty() && !isTaken(open)) {
      oneByOne(open);
    }
    return new Noted(taken, failed, dead);
  }

  /** Whether the sink has taken nothing though it was asked to. */
  boolean isRefusedByAll() {
    return taken.isEmpty() && !error.isEmpty();
  }

  /** Why it did not take something. */
  String error() {
    return error;
  }

  private boolean isTaken(List<DueEvent> open) {
    if (open.size() == 1 || sink.policy().batch() == 1) {
      return false;
    }
    List<OutboxEvent> events = open.stream().map(DueEvent::event).toList();
    Optional<String> problem = caller.publish(sink, events);
    if (problem.isEmpty()) {
      taken.addAll(open);
    } else {
      error = problem.get();
    }
    return problem.isEmpty();
  }

  private void oneByOne(List<DueEvent> open) {
    int inARow = 0;
    boolean tried = false;
    for (DueEvent one : open) {
      Duration wait = waiting.get(one.event().subject());
      if (wait != null) {
        putOff(one, wait);
      } else if (inARow < ENOUGH && !(tried && late.getAsBoolean())) {
        tried = true;
        Optional<String> problem = caller.publish(sink, List.of(one.event()));
        if (problem.isEmpty()) {
          taken.add(one);
          inARow = 0;
        } else {
          refused(one, problem.get());
          inARow++;
        }
      } else {
        waiting.put(one.event().subject(), Duration.ZERO); // not tried: nor is what follows it
      }
    }
  }

  private void refused(DueEvent one, String problem) {
    error = problem;
    int tries = one.tries() + 1;
    if (tries >= sink.policy().maxTries()) {
      dead.add(new FailedEvent(one, tries, Duration.ZERO, Optional.of(problem)));
    } else {
      Duration delay = backoff.after(tries);
      waiting.put(one.event().subject(), delay);
      failed.add(new FailedEvent(one, tries, delay, Optional.of(problem)));
    }
  }

  private void putOff(DueEvent one, Duration delay) {
    if (!delay.isZero()) {
      failed.add(new FailedEvent(one, one.tries(), delay, Optional.empty()));
    }
  }
}

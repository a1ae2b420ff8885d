package dev.standpipe.internal.engine;

import dev.standpipe.internal.engine.claim.Backpressure;
import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.AttemptFailure;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.spi.Event;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The state that the parts of one process share: its lease, the tries it holds, and where finished
 * tries go. Thread-safe.
 */
public final class ProcessState {
  private final InFlight inFlight;
  private final Events events;
  private final Consumer<Outcome> outcomes;
  private final Runnable wakeClaimer;
  private final Backpressure backpressure = new Backpressure();
  private final AtomicBoolean doubtful = new AtomicBoolean();
  private volatile ProcessLease lease;
  private volatile boolean draining;
  private volatile boolean moreReady;

  /**
   * The state of a process that begins.
   *
   * @param outcomes commits what has finished
   * @param wakeClaimer has more tasks taken
   */
  public ProcessState(
      ProcessLease lease,
      InFlight inFlight,
      Events events,
      Consumer<Outcome> outcomes,
      Runnable wakeClaimer) {
    this.lease = lease;
    this.inFlight = inFlight;
    this.events = events;
    this.outcomes = outcomes;
    this.wakeClaimer = wakeClaimer;
  }

  public ProcessLease lease() {
    return lease;
  }

  public void lease(ProcessLease renewed) {
    this.lease = renewed;
  }

  public InFlight inFlight() {
    return inFlight;
  }

  public Capacity capacity() {
    return inFlight.capacity();
  }

  public Events events() {
    return events;
  }

  public Backpressure backpressure() {
    return backpressure;
  }

  /** From here on nothing new is taken or kept. */
  void drain() {
    draining = true;
    capacity().close();
  }

  public boolean isDraining() {
    return draining;
  }

  /** Notes whether the last claim left work behind. */
  public void moreReady(boolean more) {
    moreReady = more;
  }

  public boolean isMoreReady() {
    return moreReady;
  }

  /** Fails a try whose inputs do not fit into memory. */
  public void tooLarge(Attempt attempt, OutOfMemoryError cause) {
    String message =
        "The inputs of the step do not fit into memory: store large values elsewhere and pass a"
            + " reference, or give the process more memory";
    if (attempt.end()) {
      AttemptFailure failure = AttemptFailure.of(new IllegalStateException(message, cause), true);
      outcomes.accept(new Outcome(attempt, 0, new Outcome.Threw(failure, false)));
    }
  }

  /** Whether the body of a try may begin: nobody else may do the step, and somebody wants it. */
  boolean mayBegin(Attempt attempt) {
    return lease.isTrusted() && !attempt.isCanceled();
  }

  /** Gives a try back that was not begun. */
  public void giveBack(Attempt attempt) {
    if (attempt.end()) {
      outcomes.accept(new Outcome(attempt, 0, new Outcome.GivenBack()));
    }
  }

  /** Tells the claimer that there is room again, if there is work it could take. */
  public void madeRoom() {
    if (moreReady && capacity().room() * 4 >= capacity().limit()) {
      wakeClaimer.run();
    }
  }

  /** Notes that a reply was lost: the database may hold tasks for this process unknown to it. */
  public void doubt() {
    doubtful.set(true);
  }

  public boolean resolveDoubt() {
    return doubtful.compareAndSet(true, false);
  }

  /** Tells the bodies of these runs that their results are not wanted; gives back waiting tries. */
  public void interrupt(Set<UUID> runs) {
    if (runs.isEmpty()) {
      return;
    }
    inFlight.attempts().stream()
        .filter(attempt -> runs.contains(attempt.run))
        .forEach(this::interrupt);
  }

  /** The same for tries that have lost their tasks; their bodies may run beside the next ones. */
  public void interruptTries(Set<TaskRef> tries) {
    for (Attempt attempt : inFlight.attempts()) {
      if (tries.contains(attempt.ref)) {
        reportBody(attempt);
        interrupt(attempt);
      }
    }
  }

  private void interrupt(Attempt attempt) {
    attempt.cancel();
    if (attempt.isQueued()) { // one that begins just now sees that it is canceled
      giveBack(attempt);
    }
  }

  /** Tells if the body of a try runs on though the try is over: others may begin the next (I4). */
  public void reportBody(Attempt attempt) {
    if (attempt.hasBody()) {
      events.publish(new Event.BodyStillRunning(attempt.step(), attempt.owner));
    }
  }

  /** Interrupts what runs under a lost lease: this process may no longer be the one to do it. */
  public void lose(ProcessLease lost, String reason) {
    if (lost.lose()) {
      events.publish(new Event.LeaseLost(lost.id(), reason));
      inFlight.attempts().stream()
          .filter(attempt -> attempt.owner.equals(lost.id()))
          .forEach(Attempt::cancel);
    }
  }
}

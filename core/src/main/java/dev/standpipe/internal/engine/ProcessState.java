package dev.standpipe.internal.engine;

import dev.standpipe.internal.engine.claim.Backpressure;
import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.claim.InputLoader;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.AttemptFailure;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Held;
import dev.standpipe.spi.Event;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * What the parts of one process share: who the process is at present, what it holds, what has
 * finished and waits to be committed. Thread-safe.
 */
public final class ProcessState {
  private final InFlight hold;
  private final Events events;
  private final Backpressure backpressure = new Backpressure();
  private final AtomicBoolean doubtful = new AtomicBoolean();
  private volatile ProcessLease lease;
  private volatile boolean draining;
  private volatile boolean moreReady;
  private volatile Consumer<Collection<Attempt>> bodies = works -> {};
  private volatile Consumer<Outcome> onFinished = outcome -> {};
  private volatile Runnable onRoom = () -> {};

  public ProcessState(ProcessLease lease, InFlight hold, Events events) {
    this.lease = lease;
    this.hold = hold;
    this.events = events;
  }

  /** Connects the parts that come after this one is made. */
  void connect(
      Consumer<Collection<Attempt>> toBodies,
      Consumer<Outcome> toCommitters,
      Runnable wakeClaimer) {
    this.bodies = toBodies;
    this.onFinished = toCommitters;
    this.onRoom = wakeClaimer;
  }

  public ProcessLease lease() {
    return lease;
  }

  public void lease(ProcessLease next) {
    this.lease = next;
  }

  public InFlight hold() {
    return hold;
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
    hold.close();
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

  /** Fetches what the tries need and hands them to the bodies. */
  public void dispatch(Tasks tasks, Collection<Attempt> works) {
    try {
      InputLoader.fetch(tasks, works);
    } catch (OutOfMemoryError e) { // of all inputs together, perhaps
      dispatchApart(tasks, List.copyOf(works), e);
      return;
    } catch (RuntimeException | Error e) {
      works.forEach(this::giveBack);
      throw e;
    }
    bodies.accept(works);
  }

  /** Dispatches one half and then the other; whose inputs do not fit alone, fails. */
  private void dispatchApart(Tasks tasks, List<Attempt> works, OutOfMemoryError error) {
    if (works.size() == 1) {
      tooLarge(works.get(0), error);
      return;
    }
    int half = works.size() / 2;
    try {
      dispatch(tasks, works.subList(0, half));
    } finally {
      dispatch(tasks, works.subList(half, works.size()));
    }
  }

  private void tooLarge(Attempt work, OutOfMemoryError cause) {
    String message =
        "The inputs of the step do not fit into memory: store large values elsewhere and pass a"
            + " reference, or give the process more memory";
    if (work.end()) {
      AttemptFailure failure = AttemptFailure.of(new IllegalStateException(message, cause), true);
      finish(new Outcome(work, 0, new Outcome.Threw(failure, false)));
    }
  }

  /** Gives a try back that was not begun. */
  public void giveBack(Attempt work) {
    if (work.end()) {
      finish(new Outcome(work, 0, new Outcome.GivenBack()));
    }
  }

  /** Queues what has finished for the next commit. */
  void finish(Outcome outcome) {
    onFinished.accept(outcome);
  }

  /** Tells the claimer that there is room again, if there is work it could take. */
  public void madeRoom() {
    if (moreReady && hold.room() * 4 >= hold.limit()) {
      onRoom.run();
    }
  }

  /** Notes that a reply was lost: the database may hold tasks for this process unknown to it. */
  public void doubt() {
    doubtful.set(true);
  }

  public boolean resolveDoubt() {
    return doubtful.compareAndSet(true, false);
  }

  /** Tells the bodies of these runs that nobody wants their results; gives back what waits. */
  public void interrupt(Set<UUID> runs) {
    if (runs.isEmpty()) {
      return;
    }
    hold.works().stream().filter(work -> runs.contains(work.run)).forEach(this::interrupt);
  }

  /** The same for tries that have lost their tasks; their bodies may run beside the next ones. */
  public void interruptTries(Set<Held> tries) {
    for (Attempt work : hold.works()) {
      if (tries.contains(work.key())) {
        reportBody(work);
        interrupt(work);
      }
    }
  }

  private void interrupt(Attempt work) {
    work.cancel();
    if (work.isQueued()) { // one that begins just now sees that it is canceled
      giveBack(work);
    }
  }

  /** Tells if the body of a try runs on though the try is over: others may begin the next (I4). */
  public void reportBody(Attempt work) {
    if (work.hasBody()) {
      events.publish(new Event.BodyStillRunning(work.step(), work.owner));
    }
  }

  /** Interrupts what runs under a lost lease: this process may no longer be the one to do it. */
  public void lose(ProcessLease lost, String reason) {
    if (lost.lose()) {
      events.publish(new Event.LeaseLost(lost.id(), reason));
      hold.works().stream().filter(work -> work.owner.equals(lost.id())).forEach(Attempt::cancel);
    }
  }
}

package dev.standpipe.internal.engine;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.Held;
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
final class Crew {
  private final Hold hold;
  private final Events events;
  private final Strain strain = new Strain();
  private final AtomicBoolean doubtful = new AtomicBoolean();
  private volatile Membership membership;
  private volatile boolean draining;
  private volatile boolean moreReady;
  private volatile Consumer<Collection<Work>> bodies = works -> {};
  private volatile Consumer<Outcome> onFinished = outcome -> {};
  private volatile Runnable onRoom = () -> {};

  Crew(Membership membership, Hold hold, Events events) {
    this.membership = membership;
    this.hold = hold;
    this.events = events;
  }

  /** Connects the parts that come after this one is made. */
  void connect(
      Consumer<Collection<Work>> toBodies, Consumer<Outcome> toCommitters, Runnable wakeClaimer) {
    this.bodies = toBodies;
    this.onFinished = toCommitters;
    this.onRoom = wakeClaimer;
  }

  Membership membership() {
    return membership;
  }

  void membership(Membership next) {
    this.membership = next;
  }

  Hold hold() {
    return hold;
  }

  Events events() {
    return events;
  }

  Strain strain() {
    return strain;
  }

  /** From here on nothing new is taken or kept. */
  void drain() {
    draining = true;
    hold.close();
  }

  boolean isDraining() {
    return draining;
  }

  /** Notes whether the last claim left work behind. */
  void moreReady(boolean more) {
    moreReady = more;
  }

  boolean isMoreReady() {
    return moreReady;
  }

  /** Fetches what the tries need and hands them to the bodies. */
  void dispatch(Tasks tasks, Collection<Work> works) {
    try {
      Inputs.fetch(tasks, works);
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
  private void dispatchApart(Tasks tasks, List<Work> works, OutOfMemoryError error) {
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

  private void tooLarge(Work work, OutOfMemoryError cause) {
    String message =
        "The inputs of the step do not fit into memory: store large values elsewhere and pass a"
            + " reference, or give the process more memory";
    if (work.end()) {
      Failure failure = Failure.of(new IllegalStateException(message, cause), true);
      finish(new Outcome(work, 0, new Outcome.Threw(failure, false)));
    }
  }

  /** Gives a try back that was not begun. */
  void giveBack(Work work) {
    if (work.end()) {
      finish(new Outcome(work, 0, new Outcome.GivenBack()));
    }
  }

  /** Queues what has finished for the next commit. */
  void finish(Outcome outcome) {
    onFinished.accept(outcome);
  }

  /** Tells the claimer that there is room again, if there is work it could take. */
  void madeRoom() {
    if (moreReady && hold.room() * 4 >= hold.limit()) {
      onRoom.run();
    }
  }

  /** Notes that a reply was lost: the database may hold tasks for this process unknown to it. */
  void doubt() {
    doubtful.set(true);
  }

  boolean resolveDoubt() {
    return doubtful.compareAndSet(true, false);
  }

  /** Tells the bodies of these runs that nobody wants their results; gives back what waits. */
  void interrupt(Set<UUID> runs) {
    if (runs.isEmpty()) {
      return;
    }
    hold.works().stream().filter(work -> runs.contains(work.run)).forEach(this::interrupt);
  }

  /** The same for tries that have lost their tasks; their bodies may run beside the next ones. */
  void interruptTries(Set<Held> tries) {
    for (Work work : hold.works()) {
      if (tries.contains(work.key())) {
        reportBody(work);
        interrupt(work);
      }
    }
  }

  private void interrupt(Work work) {
    work.cancel();
    if (work.isQueued()) { // one that begins just now sees that it is canceled
      giveBack(work);
    }
  }

  /** Tells if the body of a try runs on though the try is over: others may begin the next (I4). */
  void reportBody(Work work) {
    if (work.hasBody()) {
      events.publish(new Event.BodyStillRunning(work.step(), work.owner));
    }
  }

  /** Interrupts what runs under a lost lease: this process may no longer be the one to do it. */
  void lose(Membership lost, String reason) {
    if (lost.lose()) {
      events.publish(new Event.LeaseLost(lost.id(), reason));
      hold.works().stream().filter(work -> work.owner.equals(lost.id())).forEach(Work::cancel);
    }
  }
}

package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import java.util.Collection;
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
    } catch (StoreException e) {
      works.forEach(this::giveBack);
      throw e;
    }
    bodies.accept(works);
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
    for (Work work : hold.works()) {
      if (runs.contains(work.run)) {
        work.cancel();
        if (work.isQueued()) { // one that begins just now sees that it is canceled
          giveBack(work);
        }
      }
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

package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private final Queue<Outcome> finished = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean doubtful = new AtomicBoolean();
  private volatile Membership membership;
  private volatile boolean draining;
  private volatile boolean moreReady;
  private volatile Consumer<Work> bodies = work -> {};
  private volatile Runnable onFinished = () -> {};
  private volatile Runnable onRoom = () -> {};

  Crew(Membership membership, Hold hold, Events events) {
    this.membership = membership;
    this.hold = hold;
    this.events = events;
  }

  /** Connects the parts that come after this one is made. */
  void connect(Consumer<Work> toBodies, Runnable wakeCommitter, Runnable wakeClaimer) {
    this.bodies = toBodies;
    this.onFinished = wakeCommitter;
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
    if (works.isEmpty()) {
      return;
    }
    try {
      Inputs.fetch(tasks, works);
    } catch (StoreException e) {
      works.forEach(this::giveBack);
      throw e;
    }
    works.forEach(bodies);
  }

  /** Gives a try back that was not begun. */
  void giveBack(Work work) {
    if (work.end()) {
      finish(new Outcome(work, 0, new Outcome.GivenBack()));
    }
  }

  /** Queues what has finished for the next commit. */
  void finish(Outcome outcome) {
    finished.add(outcome);
    onFinished.run();
  }

  /** Takes what has finished, up to this many. */
  List<Outcome> takeFinished(int most) {
    List<Outcome> taken = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      Outcome outcome = finished.poll();
      if (outcome == null) {
        break;
      }
      taken.add(outcome);
    }
    return taken;
  }

  boolean hasFinished() {
    return !finished.isEmpty();
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

  /** Interrupts everything that runs: this process may no longer be the one to do it. */
  void interruptAll(String reason) {
    events.publish(new Event.LeaseLost(membership.id(), reason));
    hold.works().forEach(Work::cancel);
  }
}

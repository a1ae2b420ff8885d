package dev.standpipe.internal.engine;

import dev.standpipe.AttemptOutcome;
import dev.standpipe.RunStatus;
import dev.standpipe.StepError;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Settlement;
import dev.standpipe.spi.Settlement.Bump;
import dev.standpipe.spi.Settlement.NewTasks;
import dev.standpipe.spi.Settlement.Next;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks.Fate;
import dev.standpipe.spi.Tasks.Opened;
import dev.standpipe.spi.Tasks.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of what a commit did: forgets what is settled, takes up what follows, tells those who
 * wait. Only what the database has accepted leads to anything here.
 */
final class Aftermath {
  private static final Logger LOG = LoggerFactory.getLogger(Aftermath.class);

  private final Crew crew;
  private final Ends ends;
  private final Runnable ring;
  private final Recents recents = new Recents();

  Aftermath(Crew crew, Ends ends, Runnable ring) {
    this.crew = crew;
    this.ends = ends;
    this.ring = ring;
  }

  /** Accounts for a reply; called while what is held may not be compared with the database. */
  Follow settled(List<Plan> plans, Reply reply) {
    Set<Opened> opened = Set.copyOf(reply.opened());
    Gathering gathering = new Gathering(opened, reply);
    for (int i = 0; i < plans.size(); i++) {
      try {
        account(plans.get(i), reply.fates().get(i), gathering);
      } catch (RuntimeException | Error e) { // what follows is in the database: it is given back
        LOG.error(
            "event=reply_lost_in_memory step={}: {}", plans.get(i).work().step(), Errors.text(e));
        crew.hold().remove(plans.get(i).work());
        crew.doubt();
      }
    }
    gathering.joins.forEach(join -> recents.take(join).ifPresent(join::inputs));
    crew.hold().settled(plans.size());
    return new Follow(
        gathering.works,
        gathering.halting,
        gathering.finished,
        gathering.othersReady,
        reply.followed());
  }

  private void account(Plan plan, Fate fate, Gathering gathering) {
    if (fate == Fate.COMMITTED) {
      committed(plan, gathering);
    } else if (fate == Fate.PARKED) {
      crew.hold().unreserve(plan.reserved());
      committed(plan.unkept(), gathering);
    } else {
      refused(plan, fate, gathering);
    }
  }

  /** Does what follows, outside of any transaction. */
  void follow(Store store, Follow follow) {
    if (follow.othersReady()) {
      ring.run();
    }
    crew.madeRoom();
    crew.dispatch(store.tasks(), follow.works());
    crew.interrupt(follow.finished());
    follow.halting().forEach(run -> ends.settle(store.runs(), run));
    if (follow.followed()) {
      ends.followUp();
    }
  }

  /** Spares whoever waits two queries if the last step to finish is the one that has the output. */
  private static Waiters.End end(Plan plan) {
    Work work = plan.work();
    boolean output = work.vertex.key().equals(work.pipeline.graph().output());
    return output && plan.outcome().ending() instanceof Outcome.Returned returned
        ? new Waiters.End(Optional.of(returned.values().get(0)))
        : Waiters.End.SOMEHOW;
  }

  private void refused(Plan plan, Fate fate, Gathering gathering) {
    crew.hold().unreserve(plan.reserved());
    crew.hold().remove(plan.work());
    Settlement.Verdict verdict = plan.settlement().verdict();
    boolean released =
        verdict instanceof Settlement.Released || verdict instanceof Settlement.Waiting;
    if (fate == Fate.DRAINED) {
      gathering.halting.add(plan.work().run);
    } else if (!released) {
      crew.events().publish(new Event.StaleWriteBlocked(plan.work().step(), plan.work().owner));
    }
  }

  private void committed(Plan plan, Gathering gathering) {
    Work work = plan.work();
    crew.reportBody(work);
    Settlement.Verdict verdict = plan.settlement().verdict();
    if (verdict instanceof Settlement.Advancing ended) {
      advanced(plan, ended, gathering);
      return;
    }
    crew.hold().remove(work);
    Event.Step step = work.step();
    if (verdict instanceof Settlement.Retried retried) {
      Duration delay = Duration.ofNanos(retried.delayMicros() * 1000);
      crew.events().publish(failed(work, retried.outcome(), retried.error(), false));
      crew.events().publish(new Event.RetryScheduled(step, delay));
      gathering.othersReady |= delay.isZero();
    } else if (verdict instanceof Settlement.Snoozed snoozed) {
      Duration delay = Duration.ofNanos(snoozed.delayMicros() * 1000);
      crew.events().publish(new Event.StepSnoozed(step, delay));
    } else if (verdict instanceof Settlement.Failed failed) {
      crew.events().publish(failed(work, failed.outcome(), failed.error(), true));
      gathering.halting.add(work.run);
    } else if (verdict instanceof Settlement.Released) {
      crew.events().publish(new Event.StepReleased(step));
      gathering.othersReady = true;
    }
  }

  private static Event failed(
      Work work, AttemptOutcome outcome, StepError error, boolean terminal) {
    return new Event.ExecutionFailed(work.step(), work.pipeline.name(), outcome, error, terminal);
  }

  private void advanced(Plan plan, Settlement.Advancing ok, Gathering gathering) {
    Work work = plan.work();
    if (ok instanceof Settlement.Finished) {
      gathering.halting.add(work.run);
      gathering.finished.add(work.run);
    }
    if (crew.events().perStep() && hasSucceeded(ok)) {
      crew.events()
          .publish(
              new Event.ExecutionSucceeded(
                  work.step(), Duration.ofNanos(plan.outcome().elapsedNanos())));
    }
    if (ok instanceof Settlement.Outlived outlived) {
      Settlement.Failed failure = outlived.failure();
      crew.events().publish(failed(work, failure.outcome(), failure.error(), true));
    }
    next(plan, ok.next(), gathering);
    ok.tasks().forEach(tasks -> besides(plan, tasks, gathering));
    boolean finishes = ok.endsRun();
    boolean closed = false;
    for (Bump bump : ok.bumps()) {
      boolean opens = gathering.opens(work.run, bump);
      finishes |= opens && bump.node().equals(Bump.END);
      closed |= opens && bump.node().equals(Bump.CLOSE);
      note(plan, bump);
      if (opens && bump.leased()) {
        Vertex target = work.pipeline.graph().vertex(bump.node());
        long token = Settlement.era(work.token) + 1;
        gathering.join(work.follow(target, bump.task(), bump.index(), token));
      } else if (bump.leased()) {
        crew.hold().unreserve(1);
      } else {
        gathering.othersReady |= opens;
      }
    }
    if (finishes && !gathering.halting.contains(work.run)) {
      Event.RunFinished event =
          new Event.RunFinished(work.run, work.pipeline.name(), RunStatus.SUCCEEDED);
      ends.announce(event, end(plan));
    }
    RunStatus status = gathering.closed.get(work.run);
    if (closed && status != null && status.isTerminal()) {
      ends.announce(
          new Event.RunFinished(work.run, work.pipeline.name(), status), Waiters.End.SOMEHOW);
    }
  }

  /** Remembers a value for the join that waits for it, if this process is to have that too. */
  private void note(Plan plan, Bump bump) {
    Work work = plan.work();
    if (bump.leased()
        && work.vertex.kind() != NodeKind.EXPAND
        && plan.outcome().ending() instanceof Outcome.Returned returned) {
      recents.note(work, work.pipeline.graph().vertex(bump.node()), returned.values().get(0));
    }
  }

  /** Unlike one that is skipped, or an expand with more elements to come. */
  private static boolean hasSucceeded(Settlement.Advancing ok) {
    return ok instanceof Settlement.Succeeded || ok instanceof Settlement.Finished;
  }

  private void next(Plan plan, @Nullable Next next, Gathering gathering) {
    Work work = plan.work();
    if (next == null || !next.leased()) {
      crew.hold().remove(work);
      gathering.othersReady |= next != null;
      return;
    }
    Work follower;
    if (plan.settlement().verdict() instanceof Settlement.Expanding) {
      follower = work.goOn();
    } else {
      Vertex vertex = work.pipeline.graph().vertex(next.node());
      follower = work.follow(vertex, work.task, next.index(), work.token + 1);
      handOver(plan, follower);
    }
    crew.hold().replace(work, follower);
    gathering.works.add(follower);
  }

  private void besides(Plan plan, NewTasks tasks, Gathering gathering) {
    gathering.othersReady |= tasks.leased() < tasks.count();
    Vertex vertex = plan.work().pipeline.graph().vertex(tasks.node());
    for (int i = 0; i < tasks.leased(); i++) {
      Work follower =
          plan.work()
              .follow(
                  vertex,
                  tasks.task() + i,
                  tasks.first() + i,
                  Settlement.era(plan.work().token) + 1);
      handOver(plan, follower);
      gathering.take(follower);
    }
  }

  /** Spares the follower a query if all it needs is what was just written. */
  private static void handOver(Plan plan, Work follower) {
    Vertex from = plan.work().vertex;
    boolean sole = follower.vertex.inputs().size() == 1 && follower.vertex.inputs().get(0) == from;
    if (!sole || follower.vertex.kind() == NodeKind.COLLAPSE) {
      return;
    }
    int base = from.firstElement(plan.work().index);
    if (plan.outcome().ending() instanceof Outcome.Returned returned) {
      int at = from.kind() == NodeKind.EXPAND ? follower.index - base : 0;
      follower.inputs(List.of(returned.values().get(at)));
    } else if (plan.outcome().ending() instanceof Outcome.Yielded yielded) {
      int at = follower.index - base - yielded.first();
      follower.inputs(List.of(yielded.values().get(at)));
    }
  }

  /** What a reply adds up to. */
  private final class Gathering {
    final List<Work> works = new ArrayList<>();
    final List<Work> joins = new ArrayList<>();
    final Set<UUID> halting = new HashSet<>();
    final Set<UUID> finished = new HashSet<>();
    final Set<Opened> opened;
    final Map<UUID, RunStatus> closed = new HashMap<>();
    boolean othersReady;

    Gathering(Set<Opened> opened, Reply reply) {
      this.opened = new HashSet<>(opened);
      this.halting.addAll(reply.stopped());
      reply.closed().forEach(run -> closed.put(run.run(), run.status()));
    }

    /** Whether this bump's target has opened; of several bumps in one reply, one is told so. */
    boolean opens(UUID run, Bump bump) {
      return !opened.isEmpty() && opened.remove(new Opened(run, bump.counter()));
    }

    /** Its inputs are known once all of the reply is. */
    void join(Work work) {
      joins.add(work);
      take(work);
    }

    void take(Work work) {
      crew.hold().add(work);
      works.add(work);
    }
  }
}

package dev.standpipe.internal.engine.commit;

import dev.standpipe.RunStatus;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.client.RunWaiters;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Fate;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.spi.Event;
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
public final class CommitReplyHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CommitReplyHandler.class);

  private final ProcessState processState;
  private final RunEndListeners ends;
  private final Runnable ring;
  private final RecentResults recentResults = new RecentResults();

  public CommitReplyHandler(ProcessState processState, RunEndListeners ends, Runnable ring) {
    this.processState = processState;
    this.ends = ends;
    this.ring = ring;
  }

  /** Accounts for a reply; called while what is held may not be compared with the database. */
  PostCommitActions settled(List<PlannedSettlement> plans, Reply reply) {
    Set<Opened> opened = Set.copyOf(reply.opened());
    Gathering gathering = new Gathering(opened, reply);
    for (int i = 0; i < plans.size(); i++) {
      try {
        account(plans.get(i), reply.fateLookup().get(i), gathering);
      } catch (RuntimeException | Error e) { // what follows is in the database: it is given back
        LOG.error(
            "event=reply_lost_in_memory step={}: {}",
            plans.get(i).work().step(),
            ErrorText.text(e));
        processState.hold().remove(plans.get(i).work());
        processState.doubt();
      }
    }
    gathering.joins.forEach(join -> recentResults.take(join).ifPresent(join::inputs));
    processState.hold().settled(plans.size());
    return new PostCommitActions(
        gathering.works,
        gathering.halting,
        gathering.finished,
        gathering.othersReady,
        reply.followed());
  }

  private void account(PlannedSettlement plan, Fate fate, Gathering gathering) {
    if (fate == Fate.COMMITTED) {
      committed(plan, gathering);
    } else if (fate == Fate.PARKED) {
      processState.hold().unreserve(plan.reserved());
      committed(plan.unkept(), gathering);
    } else {
      refused(plan, fate, gathering);
    }
  }

  /** Does what follows, outside of any transaction. */
  void follow(Store store, PostCommitActions follow) {
    if (follow.othersReady()) {
      ring.run();
    }
    processState.madeRoom();
    processState.dispatch(store.tasks(), follow.works());
    processState.interrupt(follow.finished());
    follow.halting().forEach(run -> ends.settle(store.runs(), run));
    if (follow.followed()) {
      ends.followUp();
    }
  }

  /** Spares whoever waits two queries if the last step to finish is the one that has the output. */
  private static RunWaiters.End end(PlannedSettlement plan) {
    Attempt work = plan.work();
    boolean output = work.vertex.key().equals(work.pipeline.graph().output());
    return output && plan.outcome().ending() instanceof Outcome.Returned returned
        ? new RunWaiters.End(Optional.of(returned.values().get(0)))
        : RunWaiters.End.SOMEHOW;
  }

  private void refused(PlannedSettlement plan, Fate fate, Gathering gathering) {
    processState.hold().unreserve(plan.reserved());
    processState.hold().remove(plan.work());
    Settlement.Verdict verdict = plan.settlement().verdict();
    boolean released =
        verdict instanceof Settlement.Released || verdict instanceof Settlement.Waiting;
    if (fate == Fate.DRAINED) {
      gathering.halting.add(plan.work().run);
    } else if (!released) {
      processState
          .events()
          .publish(new Event.StaleWriteBlocked(plan.work().step(), plan.work().owner));
    }
  }

  private void committed(PlannedSettlement plan, Gathering gathering) {
    Attempt work = plan.work();
    processState.reportBody(work);
    Settlement.Verdict verdict = plan.settlement().verdict();
    if (verdict instanceof Settlement.Advancing ended) {
      advanced(plan, ended, gathering);
      return;
    }
    processState.hold().remove(work);
    Event.Step step = work.step();
    if (verdict instanceof Settlement.Retried retried) {
      Duration delay = Duration.ofNanos(retried.delayMicros() * 1000);
      processState.events().publish(failed(work, retried.outcome(), retried.error(), false));
      processState.events().publish(new Event.RetryScheduled(step, delay));
      gathering.othersReady |= delay.isZero();
    } else if (verdict instanceof Settlement.Snoozed snoozed) {
      Duration delay = Duration.ofNanos(snoozed.delayMicros() * 1000);
      processState.events().publish(new Event.StepSnoozed(step, delay));
    } else if (verdict instanceof Settlement.Failed failed) {
      processState.events().publish(failed(work, failed.outcome(), failed.error(), true));
      gathering.halting.add(work.run);
    } else if (verdict instanceof Settlement.Released) {
      processState.events().publish(new Event.StepReleased(step));
      gathering.othersReady = true;
    }
  }

  private static Event failed(
      Attempt work, AttemptOutcome outcome, StepError error, boolean terminal) {
    return new Event.ExecutionFailed(work.step(), work.pipeline.name(), outcome, error, terminal);
  }

  private void advanced(PlannedSettlement plan, Settlement.Advancing ok, Gathering gathering) {
    Attempt work = plan.work();
    if (ok instanceof Settlement.Finished) {
      gathering.halting.add(work.run);
      gathering.finished.add(work.run);
    }
    if (processState.events().perStep() && hasSucceeded(ok)) {
      processState
          .events()
          .publish(
              new Event.ExecutionSucceeded(
                  work.step(), Duration.ofNanos(plan.outcome().elapsedNanos())));
    }
    if (ok instanceof Settlement.Outlived outlived) {
      Settlement.Failed failure = outlived.failure();
      processState.events().publish(failed(work, failure.outcome(), failure.error(), true));
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
        processState.hold().unreserve(1);
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
          new Event.RunFinished(work.run, work.pipeline.name(), status), RunWaiters.End.SOMEHOW);
    }
  }

  /** Remembers a value for the join that waits for it, if this process is to have that too. */
  private void note(PlannedSettlement plan, Bump bump) {
    Attempt work = plan.work();
    if (bump.leased()
        && work.vertex.kind() != NodeKind.EXPAND
        && plan.outcome().ending() instanceof Outcome.Returned returned) {
      recentResults.note(work, work.pipeline.graph().vertex(bump.node()), returned.values().get(0));
    }
  }

  /** Unlike one that is skipped, or an expand with more elements to come. */
  private static boolean hasSucceeded(Settlement.Advancing ok) {
    return ok instanceof Settlement.Succeeded || ok instanceof Settlement.Finished;
  }

  private void next(PlannedSettlement plan, @Nullable Next next, Gathering gathering) {
    Attempt work = plan.work();
    if (next == null || !next.leased()) {
      processState.hold().remove(work);
      gathering.othersReady |= next != null;
      return;
    }
    Attempt runEndDispatcher;
    if (plan.settlement().verdict() instanceof Settlement.Expanding) {
      runEndDispatcher = work.goOn();
    } else {
      Vertex vertex = work.pipeline.graph().vertex(next.node());
      runEndDispatcher = work.follow(vertex, work.task, next.index(), work.token + 1);
      handOver(plan, runEndDispatcher);
    }
    processState.hold().replace(work, runEndDispatcher);
    gathering.works.add(runEndDispatcher);
  }

  private void besides(PlannedSettlement plan, NewTasks tasks, Gathering gathering) {
    gathering.othersReady |= tasks.leased() < tasks.count();
    Vertex vertex = plan.work().pipeline.graph().vertex(tasks.node());
    for (int i = 0; i < tasks.leased(); i++) {
      Attempt runEndDispatcher =
          plan.work()
              .follow(
                  vertex,
                  tasks.task() + i,
                  tasks.first() + i,
                  Settlement.era(plan.work().token) + 1);
      handOver(plan, runEndDispatcher);
      gathering.take(runEndDispatcher);
    }
  }

  /** Spares the follower a query if all it needs is what was just written. */
  private static void handOver(PlannedSettlement plan, Attempt runEndDispatcher) {
    Vertex from = plan.work().vertex;
    boolean sole =
        runEndDispatcher.vertex.inputs().size() == 1
            && runEndDispatcher.vertex.inputs().get(0) == from;
    if (!sole || runEndDispatcher.vertex.kind() == NodeKind.COLLAPSE) {
      return;
    }
    int base = from.firstElement(plan.work().index);
    if (plan.outcome().ending() instanceof Outcome.Returned returned) {
      int at = from.kind() == NodeKind.EXPAND ? runEndDispatcher.index - base : 0;
      runEndDispatcher.inputs(List.of(returned.values().get(at)));
    } else if (plan.outcome().ending() instanceof Outcome.Yielded yielded) {
      int at = runEndDispatcher.index - base - yielded.first();
      runEndDispatcher.inputs(List.of(yielded.values().get(at)));
    }
  }

  /** What a reply adds up to. */
  private final class Gathering {
    final List<Attempt> works = new ArrayList<>();
    final List<Attempt> joins = new ArrayList<>();
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
    void join(Attempt work) {
      joins.add(work);
      take(work);
    }

    void take(Attempt work) {
      processState.hold().add(work);
      works.add(work);
    }
  }
}

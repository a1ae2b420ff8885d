package dev.standpipe.internal.engine.commit;

import dev.standpipe.RunStatus;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.claim.BodyDispatcher;
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
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
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
 * Acts on the reply to a commit: forgets settled tries, takes up next steps, tells waiting callers.
 * Only settlements that the database has accepted have effects here.
 */
public final class CommitReplyHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CommitReplyHandler.class);

  private final ProcessState processState;
  private final BodyDispatcher dispatcher;
  private final RunEndListeners ends;
  private final Runnable announce;
  private final RecentResults recentResults = new RecentResults();

  public CommitReplyHandler(
      ProcessState processState,
      BodyDispatcher dispatcher,
      RunEndListeners ends,
      Runnable announce) {
    this.processState = processState;
    this.dispatcher = dispatcher;
    this.ends = ends;
    this.announce = announce;
  }

  /** Accounts for a reply; called while no reconciler compares the held tries with the database. */
  PostCommitActions settled(List<PlannedSettlement> plans, Reply reply) {
    ReplySum gathering = new ReplySum(reply);
    for (int i = 0; i < plans.size(); i++) {
      try {
        account(i, plans.get(i), reply.fates().get(i), gathering);
      } catch (RuntimeException | Error e) { // what follows is in the database: it is given back
        LOG.error(
            "event=reply_lost_in_memory step={}: {}",
            plans.get(i).attempt().step(),
            ErrorText.text(e));
        processState.inFlight().remove(plans.get(i).attempt());
        processState.doubt();
      }
    }
    gathering.joins.forEach(join -> recentResults.take(join).ifPresent(join::inputs));
    processState.capacity().settled(plans.size());
    return new PostCommitActions(
        gathering.attempts,
        gathering.halting,
        gathering.finished,
        gathering.othersReady,
        reply.followed());
  }

  private void account(
      int position, PlannedSettlement plan, SettlementFate fate, ReplySum gathering) {
    if (fate == SettlementFate.COMMITTED) {
      committed(position, plan, gathering);
    } else if (fate == SettlementFate.PARKED) {
      processState.capacity().unreserve(plan.reserved());
      committed(position, plan.unkept(), gathering);
    } else {
      refused(plan, fate, gathering);
    }
  }

  /** Does what follows, outside of any transaction. */
  void perform(Store store, PostCommitActions actions) {
    if (actions.othersReady()) {
      announce.run();
    }
    processState.madeRoom();
    dispatcher.dispatch(store.tasks(), actions.attempts());
    processState.interrupt(actions.finished());
    actions.halting().forEach(run -> ends.finishStopping(store, run));
    if (actions.followed()) {
      ends.followUp();
    }
  }

  /** Spares a waiting caller two queries if the last step to finish is the one with the output. */
  private static RunWaiters.KnownEnd end(PlannedSettlement plan) {
    Attempt attempt = plan.attempt();
    boolean output = attempt.vertex.key().equals(attempt.pipeline.graph().output());
    return output && plan.outcome().ending() instanceof Outcome.Returned returned
        ? new RunWaiters.KnownEnd(Optional.of(returned.values().get(0)))
        : RunWaiters.KnownEnd.SOMEHOW;
  }

  private void refused(PlannedSettlement plan, SettlementFate fate, ReplySum gathering) {
    processState.capacity().unreserve(plan.reserved());
    processState.inFlight().remove(plan.attempt());
    Settlement.Verdict verdict = plan.settlement().verdict();
    if (plan.attempt().definition().isTransactional()) {
      processState.doubt(); // its own transaction may have settled it, with steps that follow
    }
    boolean released =
        plan.outcome().ending() instanceof Outcome.TakenBack taken
            ? taken.inDoubt()
            : verdict instanceof Settlement.Released || verdict instanceof Settlement.Waiting;
    if (fate == SettlementFate.DRAINED) {
      gathering.halting.add(plan.attempt().run);
    } else if (!released) {
      processState
          .events()
          .publish(new Event.StaleWriteBlocked(plan.attempt().step(), plan.attempt().owner));
    }
  }

  private void committed(int position, PlannedSettlement plan, ReplySum gathering) {
    Attempt attempt = plan.attempt();
    processState.reportBody(attempt);
    Settlement.Verdict verdict = plan.settlement().verdict();
    if (verdict instanceof Settlement.Advancing ended) {
      advanced(position, plan, ended, gathering);
      return;
    }
    processState.inFlight().remove(attempt);
    Event.Step step = attempt.step();
    Duration delay = Duration.ofNanos(verdict.delayMicros() * 1000);
    if (verdict instanceof Settlement.Retried retried) {
      processState.events().publish(failed(attempt, retried.outcome(), retried.error(), false));
      processState.events().publish(new Event.RetryScheduled(step, delay));
      gathering.othersReady |= delay.isZero();
    } else if (verdict instanceof Settlement.Snoozed) {
      processState.events().publish(new Event.StepSnoozed(step, delay));
    } else if (verdict instanceof Settlement.Failed failed) {
      processState.events().publish(failed(attempt, failed.outcome(), failed.error(), true));
      gathering.halting.add(attempt.run);
    } else if (verdict instanceof Settlement.Released) {
      processState.events().publish(new Event.StepReleased(step));
      gathering.othersReady = true;
    }
  }

  private static Event failed(
      Attempt attempt, AttemptOutcome outcome, StepError error, boolean terminal) {
    return new Event.ExecutionFailed(
        attempt.step(), attempt.pipeline.name(), outcome, error, terminal);
  }

  private void advanced(
      int position, PlannedSettlement plan, Settlement.Advancing ok, ReplySum gathering) {
    Attempt attempt = plan.attempt();
    // Relays hear of events as processes hear of tasks.
    gathering.othersReady |= plan.settlement().emits();
    if (ok instanceof Settlement.Finished) {
      gathering.halting.add(attempt.run);
      gathering.finished.add(attempt.run);
    }
    if (processState.events().perStep() && hasSucceeded(ok)) {
      processState
          .events()
          .publish(
              new Event.ExecutionSucceeded(
                  attempt.step(), Duration.ofNanos(plan.outcome().elapsedNanos())));
    }
    if (processState.events().perStep() && plan.outcome().ending() instanceof Outcome.Turned turn) {
      processState
          .events()
          .publish(
              new Event.TurnFinished(
                  attempt.step(),
                  turn.entry().turn(),
                  Duration.ofNanos(plan.outcome().elapsedNanos()),
                  turn.delay()));
    }
    Settlement.Failed failure = ok.failure();
    if (failure != null) {
      processState.events().publish(failed(attempt, failure.outcome(), failure.error(), true));
    }
    Settlement.Changes changes = ok.changes();
    next(plan, changes.next(), gathering);
    changes.tasks().forEach(tasks -> besides(plan, tasks, gathering));
    boolean finishes = changes.endsRun();
    boolean closed = false;
    for (int i = 0; i < changes.bumps().size(); i++) {
      Bump bump = changes.bumps().get(i);
      boolean opens = gathering.opened.contains(new Opened(position, i));
      finishes |= opens && bump.node().equals(Bump.END);
      closed |= opens && bump.node().equals(Bump.CLOSE);
      note(plan, bump);
      if (opens && bump.leased()) {
        Vertex target = attempt.pipeline.graph().vertex(bump.node());
        gathering.join(attempt.follow(target, attempt.ref.started(bump.task()), bump.index()));
      } else if (bump.leased()) {
        processState.capacity().unreserve(1);
      } else {
        gathering.othersReady |= opens;
      }
    }
    if (finishes && !gathering.stopped.contains(attempt.run)) {
      Event.RunFinished event =
          new Event.RunFinished(attempt.run, attempt.pipeline.name(), RunStatus.SUCCEEDED);
      ends.announce(event, end(plan));
    }
    RunStatus status = gathering.closed.get(attempt.run);
    if (closed && status != null && status.isTerminal()) {
      ends.announce(
          new Event.RunFinished(attempt.run, attempt.pipeline.name(), status),
          RunWaiters.KnownEnd.SOMEHOW);
    }
  }

  /** Remembers a value for the join that waits for it, if this process is to have that too. */
  private void note(PlannedSettlement plan, Bump bump) {
    Attempt attempt = plan.attempt();
    if (bump.leased()
        && attempt.vertex.kind() != NodeKind.EXPAND
        && plan.outcome().ending() instanceof Outcome.Returned returned) {
      recentResults.note(
          attempt, attempt.pipeline.graph().vertex(bump.node()), returned.values().get(0));
    }
  }

  /** Unlike one that is skipped, an expand with more elements or a loop with more turns to come. */
  private static boolean hasSucceeded(Settlement.Advancing ok) {
    return ok instanceof Settlement.Succeeded
        || (ok instanceof Settlement.Finished finished && !finished.results().isEmpty());
  }

  private void next(PlannedSettlement plan, @Nullable Next next, ReplySum gathering) {
    Attempt attempt = plan.attempt();
    if (next == null || !next.leased()) {
      processState.inFlight().remove(attempt);
      gathering.othersReady |= next != null && plan.settlement().verdict().delayMicros() == 0;
      return;
    }
    Attempt follower;
    if (plan.settlement().verdict() instanceof Settlement.Expanding) {
      follower = attempt.goOn();
    } else if (plan.outcome().ending() instanceof Outcome.Turned turn) {
      follower = attempt.nextTurn(turn.entry());
    } else {
      Vertex vertex = attempt.pipeline.graph().vertex(next.node());
      follower = attempt.follow(vertex, attempt.ref.handedOn(), next.index());
      handOver(plan, follower);
    }
    processState.inFlight().replace(attempt, follower);
    gathering.attempts.add(follower);
  }

  private void besides(PlannedSettlement plan, NewTasks tasks, ReplySum gathering) {
    gathering.othersReady |= tasks.leased() < tasks.count();
    Vertex vertex = plan.attempt().pipeline.graph().vertex(tasks.node());
    for (int i = 0; i < tasks.leased(); i++) {
      Attempt follower =
          plan.attempt()
              .follow(vertex, plan.attempt().ref.started(tasks.task() + i), tasks.first() + i);
      handOver(plan, follower);
      gathering.take(follower);
    }
  }

  /** Spares the follower a query if all its inputs were just written. */
  private static void handOver(PlannedSettlement plan, Attempt follower) {
    Vertex from = plan.attempt().vertex;
    boolean sole = follower.vertex.inputs().size() == 1 && follower.vertex.inputs().get(0) == from;
    if (!sole || follower.vertex.kind() == NodeKind.COLLAPSE) {
      return;
    }
    int base = from.firstElement(plan.attempt().index);
    if (plan.outcome().ending() instanceof Outcome.Returned returned) {
      int at = from.kind() == NodeKind.EXPAND ? follower.index - base : 0;
      follower.inputs(List.of(returned.values().get(at)));
    } else if (plan.outcome().ending() instanceof Outcome.Yielded yielded) {
      int at = follower.index - base - yielded.first();
      follower.inputs(List.of(yielded.values().get(at)));
    }
  }

  /** The actions that follow from one reply. */
  private final class ReplySum {
    final List<Attempt> attempts = new ArrayList<>();
    final List<Attempt> joins = new ArrayList<>();
    final Set<UUID> halting = new HashSet<>();
    final Set<UUID> finished = new HashSet<>();
    final Set<Opened> opened;
    final Set<UUID> stopped;
    final Map<UUID, RunStatus> closed = new HashMap<>();
    boolean othersReady;

    ReplySum(Reply reply) {
      this.opened = Set.copyOf(reply.opened());
      this.stopped = Set.copyOf(reply.stopped());
      this.halting.addAll(stopped);
      reply.closed().forEach(run -> closed.put(run.run(), run.status()));
    }

    /** Its inputs are known once all of the reply is. */
    void join(Attempt attempt) {
      joins.add(attempt);
      take(attempt);
    }

    void take(Attempt attempt) {
      processState.inFlight().add(attempt);
      attempts.add(attempt);
    }
  }
}

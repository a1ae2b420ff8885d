package dev.standpipe.internal.engine.commit;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.execute.RetryLimits;
import dev.standpipe.internal.engine.execute.TransactionalStep;
import dev.standpipe.internal.engine.execute.TransactionalStep.Unconfirmed;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles single steps on the threads of their bodies, in transactions of their bodies. What
 * follows from a step happens as if a committer had settled it. Thread-safe.
 *
 * <p>Between the commit and the moment at which this process knows of the steps that follow, the
 * reconciler must not look. A body's thread cannot wait for the reconciler, which may wait for the
 * body's locks in the database: if it is at work, this process keeps nothing that follows.
 */
public final class TransactionalSettler implements TransactionalStep.JoinedSettler {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionalSettler.class);

  private final Store store;
  private final ProcessState processState;
  private final SettlementPlanner planner;
  private final CommitReplyHandler replyHandler;

  /**
   * Settles steps of a process.
   *
   * @param store what is looked up for plans, and done after commits, goes through it
   */
  public TransactionalSettler(
      Store store, ProcessState processState, CommitReplyHandler replyHandler) {
    this.store = store;
    this.processState = processState;
    this.planner =
        new SettlementPlanner(
            processState.capacity(),
            new RetryLimits(store.runQueries())::of,
            FailureLookup.of(store.tasks()));
    this.replyHandler = replyHandler;
  }

  @Override
  public Optional<Unconfirmed> settle(Outcome outcome, Tasks tasks) {
    PlannedSettlement planned = planner.plan(outcome);
    boolean moving = processState.inFlight().beginMovingIfFree();
    WrittenSettlement written = new WrittenSettlement(moving ? planned : unkept(planned), moving);
    try {
      return written.write(tasks) ? Optional.of(written) : Optional.empty();
    } catch (RuntimeException | Error e) {
      written.takenBack();
      throw e;
    }
  }

  private PlannedSettlement unkept(PlannedSettlement plan) {
    processState.capacity().unreserve(plan.reserved());
    return plan.unkept();
  }

  /** A settlement in a transaction that is open. */
  private final class WrittenSettlement implements Unconfirmed {
    private final PlannedSettlement plan;
    private final boolean moving;
    private Reply reply = new Reply(List.of(), List.of());

    WrittenSettlement(PlannedSettlement plan, boolean moving) {
      this.plan = plan;
      this.moving = moving;
    }

    /** A step whose plan could not be made has not succeeded: its body's writes must not stay. */
    boolean write(Tasks tasks) {
      Attempt attempt = plan.attempt();
      boolean accepted = false;
      if (plan.settlement().verdict() instanceof Settlement.Advancing) {
        reply = tasks.settleJoined(attempt.owner, plan.settlement());
        accepted = reply.fates().get(0) == SettlementFate.COMMITTED;
      }
      if (!accepted) {
        takenBack();
      }
      return accepted;
    }

    @Override
    public void committed() {
      try {
        replyHandler.perform(store, accounted());
      } catch (RuntimeException | Error e) { // what follows is in the database: it is found there
        processState.doubt();
        LOG.error(
            "event=reply_lost_in_memory step={}: {}", plan.attempt().step(), ErrorText.text(e));
      }
    }

    private PostCommitActions accounted() {
      try {
        return replyHandler.settled(List.of(plan), reply);
      } finally {
        leave();
      }
    }

    @Override
    public void takenBack() {
      processState.capacity().unreserve(plan.reserved());
      leave();
    }

    private void leave() {
      if (moving) {
        processState.inFlight().endMoving();
      }
    }
  }
}

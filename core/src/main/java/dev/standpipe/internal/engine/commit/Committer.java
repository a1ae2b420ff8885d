package dev.standpipe.internal.engine.commit;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.AttemptFailure;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.execute.RetryLimits;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.TaskRef;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits outcomes together: at once when there are few, in growing batches under load. What tries
 * write before they end goes before, in a transaction of its own.
 *
 * <p>A batch the database would not take is never dropped. After a lost reply, each of its
 * settlements is looked up by its own step and token, and only settlements that did not take effect
 * are sent again. A batch that a value spoils is halved until the value is alone, and its step
 * fails. A settlement that is refused for another reason is put aside for a while, so that it does
 * not hold up others.
 *
 * <p>A commit may fail in other ways than the database's, above all for want of memory. It is not
 * known then how far it came, so it is as after a lost reply, and the batch is halved too: what
 * fails again and again on its own, fails its step.
 */
public final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final Duration ASIDE = Duration.ofMillis(500);

  /** How often what fails on its own is tried again: memory may be short for others' sake. */
  private static final int MOST_ALONE = 3;

  /** About what one commit writes at most, unless a single outcome is larger. */
  private static final long MOST_BYTES = 4L << 20;

  private static final Comparator<Outcome> LOCK_ORDER =
      Comparator.comparing(outcome -> outcome.attempt().ref, TaskRef.LOCK_ORDER);

  private final Store store;
  private final ProcessState processState;
  private final SettlementPlanner planner;
  private final CommitReplyHandler replyHandler;
  private final int maxBatch;
  private final CommitQueue commitQueue;
  private final List<CommitQueue> others;
  private final Machine machine;
  private final TryWriter tryWriter;
  private final Deque<List<Outcome>> unsettled = new ArrayDeque<>();
  private final List<Outcome> aside = new ArrayList<>();
  private long asideUntil;
  private boolean replyLost;
  private boolean shrinking;
  private int failedAlone;
  private StepError failure = AttemptFailure.UNKNOWN.error();

  public Committer(
      Store store,
      ProcessState processState,
      CommitReplyHandler replyHandler,
      Queues queues,
      Machine machine) {
    this.store = store;
    this.processState = processState;
    this.planner =
        new SettlementPlanner(
            processState.capacity(),
            new RetryLimits(store.runQueries())::of,
            FailureLookup.of(store.tasks()));
    this.replyHandler = replyHandler;
    this.maxBatch = queues.maxBatch();
    this.commitQueue = queues.commitQueue();
    this.others = queues.others();
    this.machine = machine;
    this.tryWriter = new TryWriter(store, commitQueue, maxBatch, MOST_BYTES, machine);
  }

  /**
   * What a committer commits.
   *
   * @param commitQueue the outcomes that are its own
   * @param others the outcomes of other committers, which it helps out
   * @param maxBatch how many values one commit writes, give or take one outcome's
   */
  public record Queues(CommitQueue commitQueue, List<CommitQueue> others, int maxBatch) {}

  /** One pass; says how long to wait for the next, unless woken. */
  public Duration flush() {
    boolean wrote = tryWriter.flush();
    if (!aside.isEmpty() && machine.nanoTime() - asideUntil >= 0) {
      unsettled.addAll(byOwner(aside));
      aside.clear();
    }
    if (unsettled.isEmpty()) {
      unsettled.addAll(byOwner(takeFinished()));
    }
    List<Outcome> batch = unsettled.peek();
    if (batch == null) {
      return wrote ? Duration.ZERO : IDLE;
    }
    if (replyLost) {
      batch = withoutRecorded(batch);
      replyLost = false;
      unsettled.pop();
      if (batch.isEmpty()) {
        return Duration.ZERO;
      }
      unsettled.push(batch);
      if (shrinking) {
        shrinking = false;
        shrink(batch);
        return Duration.ZERO;
      }
    }
    replyHandler.perform(store, settle(batch));
    return Duration.ZERO;
  }

  /** Its own first, of which it has all of a run; of another's if that has more than it can do. */
  private List<Outcome> takeFinished() {
    List<Outcome> own = commitQueue.take(maxBatch, MOST_BYTES);
    if (!own.isEmpty()) {
      return own;
    }
    return others.stream()
        .filter(other -> other.size() >= maxBatch)
        .findFirst()
        .map(other -> other.take(maxBatch / 2, MOST_BYTES))
        .orElse(List.of());
  }

  /** Whether there is nothing left to settle. */
  public boolean isSettled() {
    return commitQueue.isEmpty() && tryWriter.isDone() && unsettled.isEmpty() && aside.isEmpty();
  }

  private PostCommitActions settle(List<Outcome> batch) {
    List<PlannedSettlement> plans = new ArrayList<>(batch.size());
    try {
      batch.forEach(outcome -> plans.add(planner.plan(outcome)));
      List<Settlement> settlements = plans.stream().map(PlannedSettlement::settlement).toList();
      UUID owner = batch.get(0).attempt().owner;
      PostCommitActions actions =
          processState
              .inFlight()
              .moving(() -> replyHandler.settled(plans, store.tasks().settle(owner, settlements)));
      unsettled.pop();
      failedAlone = 0;
      return actions;
    } catch (StoreException e) {
      plans.forEach(plan -> processState.capacity().unreserve(plan.reserved()));
      recover(e, batch);
      return PostCommitActions.NOTHING;
    } catch (RuntimeException | Error e) {
      plans.forEach(plan -> processState.capacity().unreserve(plan.reserved()));
      processState.doubt();
      replyLost = true;
      shrinking = true;
      failure = ErrorText.of(e);
      LOG.error(
          "event=commit_failed outcomes={} : halved and tried again: {}",
          batch.size(),
          failure.trace());
      return PostCommitActions.NOTHING;
    }
  }

  /** The batch has not taken effect, and does not as it is. */
  private void shrink(List<Outcome> batch) {
    if (batch.size() > 1) {
      halve(batch);
      return;
    }
    Outcome only = batch.get(0);
    unsettled.pop();
    failedAlone++;
    if (failedAlone < MOST_ALONE || !only.hasValues()) {
      putAside(only);
    } else {
      failedAlone = 0;
      unsettled.push(List.of(uncommittable(only)));
    }
  }

  private void putAside(Outcome outcome) {
    aside.add(outcome);
    asideUntil = machine.nanoTime() + ASIDE.toNanos();
  }

  private void halve(List<Outcome> batch) {
    unsettled.pop();
    int half = batch.size() / 2;
    unsettled.push(batch.subList(half, batch.size()));
    unsettled.push(batch.subList(0, half));
  }

  private void recover(StoreException error, List<Outcome> batch) {
    if (error.failure() == StoreFailure.CONNECTION) {
      replyLost = true;
      processState.doubt();
      throw error;
    }
    if (batch.size() > 1) {
      halve(batch);
      return;
    }
    Outcome only = batch.get(0);
    if (error.failure() == StoreFailure.DATA && only.hasValues()) {
      unsettled.pop();
      unsettled.push(List.of(refused(only, error)));
      return;
    }
    unsettled.pop();
    putAside(only);
    throw error;
  }

  private static Outcome refused(Outcome outcome, StoreException error) {
    InvalidValueException refusal =
        new InvalidValueException("The database refused the value: " + error.getMessage(), error);
    return failed(outcome, refusal);
  }

  private Outcome uncommittable(Outcome outcome) {
    String what =
        "What the step returned, about %d bytes, could not be committed: store large values elsewhere"
            + " and pass a reference, or give the process more memory (%s: %s)";
    return failed(
        outcome,
        new InvalidValueException(
            what.formatted(outcome.bytes(), failure.type(), failure.message()), null));
  }

  private static Outcome failed(Outcome outcome, InvalidValueException why) {
    Outcome.AttemptEnding ending = new Outcome.Threw(AttemptFailure.invalid(why), false);
    return new Outcome(outcome.attempt(), outcome.elapsedNanos(), ending);
  }

  private List<Outcome> withoutRecorded(List<Outcome> batch) {
    List<Boolean> recorded = store.tasks().recorded(batch.stream().map(planner::trace).toList());
    List<Outcome> left = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (recorded.get(i)) {
        processState.inFlight().remove(batch.get(i).attempt());
        processState.doubt();
      } else {
        left.add(batch.get(i));
      }
    }
    return left;
  }

  /** Nearly always one batch: only a process that lost its lease has tries of two owners. */
  private static Collection<List<Outcome>> byOwner(List<Outcome> outcomes) {
    return outcomes.stream()
        .sorted(LOCK_ORDER)
        .collect(groupingBy(outcome -> outcome.attempt().owner, LinkedHashMap::new, toList()))
        .values();
  }
}

package dev.standpipe.internal.engine;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.standpipe.InvalidValueException;
import dev.standpipe.StepError;
import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Settlement;
import dev.standpipe.spi.Store;
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
 * Commits what has finished, together: at once when there is little, in growing batches under load.
 *
 * <p>A batch the database would not take is never dropped. After a lost reply, each of its
 * settlements is looked up by its own step and token, and only those that did not take effect are
 * sent again. A batch that a value spoils is halved until the value is alone, and its step fails.
 * Whatever else is refused on its own is put aside for a while, so that it does not hold up others.
 *
 * <p>A commit may fail in other ways than the database's, above all for want of memory. It is not
 * known then how far it came, so it is as after a lost reply, and the batch is halved too: what
 * fails again and again on its own, fails its step.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final Duration ASIDE = Duration.ofMillis(500);

  /** How often what fails on its own is tried again: memory may be short for others' sake. */
  private static final int MOST_ALONE = 3;

  /** About what one commit writes at most, unless a single outcome is larger. */
  private static final long MOST_BYTES = 4L << 20;

  private static final Comparator<Outcome> LOCK_ORDER =
      Comparator.comparing((Outcome outcome) -> outcome.work().run)
          .thenComparingLong(outcome -> outcome.work().task);

  private final Store store;
  private final Crew crew;
  private final Planner planner;
  private final Aftermath aftermath;
  private final int maxBatch;
  private final Inbox inbox;
  private final List<Inbox> others;
  private final Machine machine;
  private final Deque<List<Outcome>> unsettled = new ArrayDeque<>();
  private final List<Outcome> aside = new ArrayList<>();
  private long asideUntil;
  private boolean replyLost;
  private boolean shrinking;
  private int failedAlone;
  private StepError failure = Failure.UNKNOWN.error();

  Committer(Store store, Crew crew, Aftermath aftermath, Mail mail, Machine machine) {
    this.store = store;
    this.crew = crew;
    this.planner =
        new Planner(crew.hold(), new RetryLimits(store.runs())::of, Failures.of(store.tasks()));
    this.aftermath = aftermath;
    this.maxBatch = mail.maxBatch();
    this.inbox = mail.inbox();
    this.others = mail.others();
    this.machine = machine;
  }

  /**
   * What a committer commits.
   *
   * @param inbox what is for it
   * @param others what is for others, whom it helps out
   * @param maxBatch how many values one commit writes, give or take one outcome's
   */
  record Mail(Inbox inbox, List<Inbox> others, int maxBatch) {}

  /** One pass; says how long to wait for the next, unless woken. */
  Duration flush() {
    if (!aside.isEmpty() && machine.nanoTime() - asideUntil >= 0) {
      unsettled.addAll(byOwner(aside));
      aside.clear();
    }
    if (unsettled.isEmpty()) {
      unsettled.addAll(byOwner(takeFinished()));
    }
    List<Outcome> batch = unsettled.peek();
    if (batch == null) {
      return IDLE;
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
    aftermath.follow(store, settle(batch));
    return Duration.ZERO;
  }

  /** Its own first, of which it has all of a run; of another's if that has more than it can do. */
  private List<Outcome> takeFinished() {
    List<Outcome> own = inbox.take(maxBatch, MOST_BYTES);
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
  boolean isSettled() {
    return inbox.isEmpty() && unsettled.isEmpty() && aside.isEmpty();
  }

  private Follow settle(List<Outcome> batch) {
    List<Plan> plans = new ArrayList<>(batch.size());
    try {
      batch.forEach(outcome -> plans.add(planner.plan(outcome)));
      List<Settlement> settlements = plans.stream().map(Plan::settlement).toList();
      UUID owner = batch.get(0).work().owner;
      Follow follow =
          crew.hold()
              .moving(() -> aftermath.settled(plans, store.tasks().settle(owner, settlements)));
      unsettled.pop();
      failedAlone = 0;
      return follow;
    } catch (StoreException e) {
      plans.forEach(plan -> crew.hold().unreserve(plan.reserved()));
      recover(e, batch);
      return Follow.NOTHING;
    } catch (RuntimeException | Error e) {
      plans.forEach(plan -> crew.hold().unreserve(plan.reserved()));
      crew.doubt();
      replyLost = true;
      shrinking = true;
      failure = Errors.of(e);
      LOG.error(
          "event=commit_failed outcomes={} : halved and tried again: {}",
          batch.size(),
          failure.trace());
      return Follow.NOTHING;
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
    if (error.failure() == SqlFailure.CONNECTION) {
      replyLost = true;
      crew.doubt();
      throw error;
    }
    if (batch.size() > 1) {
      halve(batch);
      return;
    }
    Outcome only = batch.get(0);
    if (error.failure() == SqlFailure.DATA && only.hasValues()) {
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
    Outcome.Ending ending = new Outcome.Threw(Failure.invalid(why), false);
    return new Outcome(outcome.work(), outcome.elapsedNanos(), ending);
  }

  private List<Outcome> withoutRecorded(List<Outcome> batch) {
    List<Boolean> recorded = store.tasks().recorded(batch.stream().map(planner::trace).toList());
    List<Outcome> left = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (recorded.get(i)) {
        crew.hold().remove(batch.get(i).work());
        crew.doubt();
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
        .collect(groupingBy(outcome -> outcome.work().owner, LinkedHashMap::new, toList()))
        .values();
  }
}

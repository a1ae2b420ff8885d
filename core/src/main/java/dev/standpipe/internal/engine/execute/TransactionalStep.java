package dev.standpipe.internal.engine.execute;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.transaction.BodyTransaction;
import dev.standpipe.internal.transaction.CommitFailedException;
import dev.standpipe.internal.transaction.CurrentTransaction;
import dev.standpipe.internal.transaction.StepTransactions;
import dev.standpipe.internal.transaction.StepTransactions.TransactionOwner;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs a transactional body and settles its step in the body's own transaction, on the body's
 * thread: the writes of both take effect, or none do. A body that never asked for its connection
 * has an outcome like any other. Thread-safe.
 *
 * <p>The body, its time-out and a stop race for the end of the try as for any step. The body's
 * thread wins before it settles, and from there on nothing interrupts it; what cannot be settled is
 * rolled back, and the try goes on from where it was.
 */
public final class TransactionalStep {
  /** How often a body is run again that lost a race, before that counts as a failure. */
  static final int MOST_RERUNS = 5;

  /** PostgreSQL, after a statement that failed. */
  private static final String ABORTED = "25P02";

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(4);

  private final StepTransactions transactions;
  private final JoinedSettler settler;
  private final Timeouts timeouts;

  TransactionalStep(StepTransactions transactions, JoinedSettler settler, Timeouts timeouts) {
    this.transactions = transactions;
    this.settler = settler;
    this.timeouts = timeouts;
  }

  /** Settles steps in transactions of their bodies. */
  public interface JoinedSettler {
    /** Writes the settlement; to be told how the transaction has ended, unless it is refused. */
    Optional<Unconfirmed> settle(Outcome outcome, Tasks tasks);
  }

  /** A settlement that is written and not committed yet. */
  public interface Unconfirmed {
    /** It is committed: what follows from it happens now. */
    void committed();

    /** It is rolled back, or it is not known whether it is. */
    void takenBack();
  }

  /** Calls the body, with a context of its own each time. */
  @FunctionalInterface
  interface BodyCall {
    Outcome.Returned in(BodyTransaction transaction) throws Exception;
  }

  /** How it ended; if it is settled, its try has ended too. */
  Outcome.AttemptEnding run(Attempt attempt, Timeouts.Alarm alarm, BodyCall body) throws Exception {
    long startedAt = System.nanoTime();
    for (int reruns = 0; ; reruns++) {
      BodyRun once = new BodyRun(attempt, alarm, body, startedAt);
      try {
        return once.perform();
      } catch (Exception e) {
        if (reruns == MOST_RERUNS || attempt.isCanceled() || !transactions.isConflict(e)) {
          throw e;
        }
        if (once.settling) { // its alarm is off
          alarm = timeouts.set(attempt, left(attempt, startedAt));
        }
      }
      LockSupport.parkNanos(
          this, ThreadLocalRandom.current().nextLong((reruns + 1) * LONGEST_PAUSE.toNanos()));
    }
  }

  private static Optional<Duration> left(Attempt attempt, long startedAt) {
    long gone = System.nanoTime() - startedAt;
    return attempt
        .definition()
        .timeout()
        .map(limit -> Duration.ofNanos(Math.max(1, limit.toNanos() - gone)));
  }

  /** One run of the body, in one transaction. */
  private final class BodyRun {
    private final Attempt attempt;
    private final Timeouts.Alarm alarm;
    private final BodyCall body;
    private final long startedAt;
    private Outcome.AttemptEnding ending = new Outcome.TakenBack(false);
    private @Nullable BodyTransaction transaction;
    private @Nullable Unconfirmed unconfirmed;
    private boolean settling;

    BodyRun(Attempt attempt, Timeouts.Alarm alarm, BodyCall body, long startedAt) {
      this.attempt = attempt;
      this.alarm = alarm;
      this.body = body;
      this.startedAt = startedAt;
    }

    Outcome.AttemptEnding perform() throws Exception {
      try {
        String step = attempt.pipeline.name() + "/" + attempt.vertex.key();
        transactions.run(new TransactionOwner(attempt.owner, step), this::in);
      } catch (CommitFailedException e) {
        takenBack();
        if (!e.isInDoubt()) {
          throw e.why();
        }
        return new Outcome.TakenBack(true);
      } catch (Exception | Error e) {
        takenBack();
        if (transaction != null && transaction.isLost()) {
          return new Outcome.GivenBack();
        }
        throw e;
      }
      if (unconfirmed == null) {
        takenBack();
      } else {
        unconfirmed.committed();
        committed(transaction);
      }
      return ending;
    }

    private static void committed(@Nullable BodyTransaction transaction) {
      if (transaction != null) {
        transaction.committed();
      }
    }

    private void takenBack() {
      if (unconfirmed != null) {
        unconfirmed.takenBack();
      }
      if (settling) {
        attempt.reopen();
      }
    }

    private boolean in(BodyTransaction opened) throws Exception {
      transaction = opened;
      Outcome.Returned returned;
      CurrentTransaction.enter(opened);
      try {
        returned = body.in(opened);
      } finally {
        CurrentTransaction.leave();
        opened.seal();
      }
      ending = returned;
      if (!opened.isOpen()) {
        return false;
      }
      alarm.stop();
      attempt.leave();
      if (!attempt.end()) { // out of time, or not wanted any more
        return false;
      }
      settling = true;
      return settle(returned, opened.settling());
    }

    private boolean settle(Outcome.Returned returned, Tasks tasks) {
      Outcome outcome = new Outcome(attempt, System.nanoTime() - startedAt, returned);
      try {
        unconfirmed = settler.settle(outcome, tasks).orElse(null);
        ending = unconfirmed == null ? new Outcome.TakenBack(false) : returned;
      } catch (StoreException e) {
        ending = refused(e);
      }
      return unconfirmed != null;
    }

    /** A value that the database does not take, or a connection that is lost. */
    private static Outcome.AttemptEnding refused(StoreException error) {
      if (error.failure() == StoreFailure.CONNECTION) {
        return new Outcome.TakenBack(false);
      }
      if (error.failure() == StoreFailure.DATA) {
        return new Outcome.Threw(
            AttemptFailure.invalid(
                new InvalidValueException(
                    "The database refused the value: " + error.getMessage(), error)),
            false);
      }
      if (ABORTED.equals(error.sql().getSQLState())) {
        throw new StandpipeException(
            error.code(),
            "A statement of the body failed, and the body went on: the database takes nothing more"
                + " in this transaction. Let the exception pass, or set a savepoint before what may"
                + " fail and roll back to it",
            error.sql());
      }
      throw error;
    }
  }
}

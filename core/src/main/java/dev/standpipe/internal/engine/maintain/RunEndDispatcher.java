package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.RunEnds.FollowUp;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Starts what follows the ends of runs: at once for runs that ended here, and by looking for runs
 * that other processes ended. Any process may do so, at any time, whatever it serves; the store
 * lets one process through for each end.
 */
final class RunEndDispatcher implements PeriodicDuty {
  private static final int AT_ONCE = 100;

  /** A pass ends after so many that cannot be followed; the next one goes on behind them. */
  private static final int MOST_IN_VAIN = 1_000;

  private final Store store;
  private final EndCallbackRuns endCallbacks;
  private final RunEndListeners ends;
  private final Runnable announce;
  private int inVain;

  RunEndDispatcher(
      Store store, EndCallbackRuns endCallbacks, RunEndListeners ends, Runnable announce) {
    this.store = store;
    this.endCallbacks = endCallbacks;
    this.ends = ends;
    this.announce = announce;
  }

  @Override
  public String name() {
    return "run_ends";
  }

  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    return PeriodicDuty.atOnceIf(news && seen.ended());
  }

  /**
   * One pass; says how long to wait for the next, unless woken. What cannot be followed keeps its
   * mark. The pass goes on behind it: however many there are, the others have their turn.
   */
  @Override
  public Duration perform() {
    boolean any = false;
    boolean full = true;
    RuntimeException failure = null;
    int most = inVain + MOST_IN_VAIN;
    while (full && !any && inVain < most) {
      List<UUID> ended = store.runEnds().ended(inVain, AT_ONCE);
      full = ended.size() == AT_ONCE;
      for (UUID run : ended) {
        try {
          if (dispatch(run)) {
            any = true;
          } else {
            inVain++; // another process has, or is about to
          }
        } catch (RuntimeException e) { // others must not wait because of one that cannot be helped
          if (e instanceof StoreException lost && lost.failure() == StoreFailure.CONNECTION) {
            inVain = 0;
            throw e;
          }
          failure = e;
          inVain++;
        }
      }
    }
    inVain = full ? inVain : 0;
    if (failure != null && !any) {
      throw failure;
    }
    return any ? Duration.ZERO : RARELY; // a run that was skipped has ended as well
  }

  private boolean dispatch(UUID run) {
    EndCallbackRuns.PreparedCallbacks prepared = endCallbacks.prepare(run);
    Optional<FollowUp> followUp;
    try {
      followUp = store.runEnds().follow(run, prepared.subject(), prepared::dispatches);
    } catch (LaneGoneException e) { // lost with a failover: the next pass registers it
      endCallbacks.forget();
      throw e;
    }
    followUp.ifPresent(done -> followed(run, done));
    return followUp.isPresent();
  }

  private void followed(UUID run, FollowUp followUp) {
    if (!followUp.run().id().equals(run)) {
      ends.ended(store.runQueries(), followUp.run().id());
    }
    if (followUp.ready()) {
      announce.run();
    }
    for (UUID skipped : followUp.skipped()) {
      ends.ended(store.runQueries(), skipped);
    }
  }
}

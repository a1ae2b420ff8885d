package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Follows.FollowUp;
import dev.standpipe.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Sees to what follows the ends of runs: at once those that ended here, and by looking, what others
 * left behind. Any process may, at any time, whatever it serves; the store lets one through for
 * each end.
 */
final class Follower {
  private static final int AT_ONCE = 100;

  private final Store store;
  private final SequelDesk sequels;
  private final Ends ends;
  private final Runnable announce;
  private final Duration interval;

  Follower(Store store, SequelDesk sequels, Ends ends, Runnable announce, Duration interval) {
    this.store = store;
    this.sequels = sequels;
    this.ends = ends;
    this.announce = announce;
    this.interval = interval;
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration follow() {
    List<UUID> ended = store.follows().ended(AT_ONCE);
    boolean any = false;
    RuntimeException failure = null;
    for (UUID run : ended) {
      try {
        any |= follow(run);
      } catch (RuntimeException e) { // others must not wait because of one that cannot be helped
        if (e instanceof StoreException lost && lost.failure() == SqlFailure.CONNECTION) {
          throw e;
        }
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return any ? Duration.ZERO : interval; // what was skipped has ended as well
  }

  private boolean follow(UUID run) {
    SequelDesk.Prepared prepared = sequels.prepare(run);
    Optional<FollowUp> followUp =
        store.follows().follow(run, prepared.subject(), prepared::dispatches);
    followUp.ifPresent(done -> followed(run, done));
    return followUp.isPresent();
  }

  private void followed(UUID run, FollowUp followUp) {
    if (!followUp.run().id().equals(run)) {
      ends.ended(store.runs(), followUp.run().id());
    }
    if (followUp.ready()) {
      announce.run();
    }
    for (UUID skipped : followUp.skipped()) {
      ends.ended(store.runs(), skipped);
    }
  }
}

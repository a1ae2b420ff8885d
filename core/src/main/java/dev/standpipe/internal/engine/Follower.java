package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Follows.Dispatch;
import dev.standpipe.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private final Runnable announce;
  private final Duration interval;

  Follower(Store store, SequelDesk sequels, Runnable announce, Duration interval) {
    this.store = store;
    this.sequels = sequels;
    this.announce = announce;
    this.interval = interval;
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration follow() {
    List<UUID> ended = store.follows().ended(AT_ONCE);
    RuntimeException failure = null;
    for (UUID run : ended) {
      try {
        follow(run);
      } catch (StoreException e) {
        throw e;
      } catch (RuntimeException e) { // others must not wait because of one that cannot be helped
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return ended.size() == AT_ONCE ? Duration.ZERO : interval;
  }

  private void follow(UUID run) {
    SequelDesk.Prepared prepared = sequels.prepare(run);
    List<Dispatch> dispatches = new ArrayList<>();
    store
        .follows()
        .follow(
            run,
            ended -> {
              dispatches.addAll(prepared.dispatches(ended));
              return dispatches;
            });
    if (!dispatches.isEmpty()) {
      announce.run();
    }
  }
}

package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.loop.Loop;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How badly the way to the database has suffered of late. Every failure of the transport halves
 * what this process may hold by claims, every heartbeat that gets through doubles it again: what it
 * takes while it may lose its lease any moment is work that others would have to take over. A lack
 * of memory counts too: what is taken comes with its inputs. Thread-safe.
 */
public final class Backpressure {
  private static final int WORST = 6;

  private final AtomicInteger level = new AtomicInteger();

  /** A pass whose failures of the transport count, and those for want of memory. */
  public Loop.Pass felt(Loop.Pass pass) {
    return () -> {
      try {
        return pass.run();
      } catch (StoreException e) {
        if (e.failure() == StoreFailure.CONNECTION) {
          worsen();
        }
        throw e;
      } catch (OutOfMemoryError e) {
        worsen();
        throw e;
      }
    };
  }

  private void worsen() {
    level.updateAndGet(now -> Math.min(WORST, now + 1));
  }

  /** Notes a heartbeat that got through. */
  public void ease() {
    level.updateAndGet(now -> Math.max(0, now - 1));
  }

  /** How many more tasks to claim, of as many as there is room for under this limit. */
  int bearable(int room, int limit) {
    int spared = limit - Math.max(1, limit >> level.get());
    return limit == 0 ? 0 : Math.max(0, room - spared);
  }
}

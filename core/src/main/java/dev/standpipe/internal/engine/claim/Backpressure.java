package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many tasks the process may claim while the way to the database suffers. Every failure of the
 * transport halves the number, every heartbeat that gets through doubles it again: other processes
 * would have to take over tasks that a process takes while it may lose its lease any moment. A lack
 * of memory counts too, since tasks come with their inputs. Thread-safe.
 */
public final class Backpressure {
  private static final int WORST = 6;

  private final AtomicInteger level = new AtomicInteger();

  /** A pass whose failures of the transport count, and those for want of memory. */
  public EngineLoop.Pass felt(EngineLoop.Pass pass) {
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

package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.port.RunQueries.Awaited;
import java.util.UUID;

/**
 * A run that a user has a handle of.
 *
 * @param awaited the run
 * @param siblings the runs it was started among
 * @param place its place among them
 * @param startedAt when it was started here, by the monotonic clock; long ago if it was not
 */
record StartedRun(Awaited awaited, AwaitReadAhead siblings, int place, long startedAt) {
  private static final long LONG_AGO = Long.MAX_VALUE / 4;

  /** A run that was started just now. */
  static StartedRun now(UUID run, String output, AwaitReadAhead siblings) {
    int place = siblings.add(run, output);
    return new StartedRun(new Awaited(run, output), siblings, place, System.nanoTime());
  }

  /** A run that was started at any time, by any process. */
  static StartedRun before(UUID run, String output) {
    AwaitReadAhead alone = new AwaitReadAhead();
    int place = alone.add(run, output);
    return new StartedRun(new Awaited(run, output), alone, place, System.nanoTime() - LONG_AGO);
  }

  UUID id() {
    return awaited.run();
  }
}

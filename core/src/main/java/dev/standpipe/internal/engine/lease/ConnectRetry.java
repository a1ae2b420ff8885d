package dev.standpipe.internal.engine.lease;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps trying to reach the database at the start, for as long as a failover takes. A wrong
 * password, or a database that does not exist, fails at once.
 */
public final class ConnectRetry {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(3);

  private ConnectRetry() {}

  /** Tries until this time is over. */
  public static <T> T within(Duration timeout, Supplier<T> attempt) {
    long deadline = System.nanoTime() + timeout.toNanos();
    long pause = FIRST_PAUSE;
    while (true) {
      try {
        return attempt.get();
      } catch (StoreException e) {
        if (e.failure() != StoreFailure.CONNECTION && e.failure() != StoreFailure.TRANSIENT) {
          throw e;
        }
        if (e.isRefusal()) {
          throw new StandpipeException(
              ErrorCode.DATABASE_ERROR,
              "The database does not let Standpipe in. Check the user, the password and the name of"
                  + " the database. "
                  + e.getMessage(),
              e);
        }
        if (deadline - System.nanoTime() <= 0) {
          throw new StandpipeException(
              ErrorCode.DATABASE_UNREACHABLE,
              "The database could not be reached within "
                  + timeout.toSeconds()
                  + " s. Check its address, that it runs, and the credentials. Last error: "
                  + e.getMessage(),
              e);
        }
        if (pause == FIRST_PAUSE) {
          LOG.warn(
              "event=database_unreachable : trying again for up to {} s. {}",
              timeout.toSeconds(),
              e.getMessage());
        }
        LockSupport.parkNanos(Math.min(pause, Math.max(1, deadline - System.nanoTime())));
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }
}

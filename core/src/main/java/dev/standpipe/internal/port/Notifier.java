package dev.standpipe.internal.port;

import java.time.Duration;

/**
 * Tells other processes that there is work, sooner than they would look. A hint only: nothing
 * depends on it being heard.
 */
public interface Notifier extends AutoCloseable {
  /** Sends nothing. */
  Notifier SILENT =
      new Notifier() {
        @Override
        public Duration sendIfRequested() {
          return Duration.ofHours(1);
        }

        @Override
        public boolean request() {
          return false;
        }

        @Override
        public boolean listen(Duration atMost) {
          return false;
        }

        @Override
        public void wakeListener() {}

        @Override
        public boolean isAudible() {
          return false;
        }

        @Override
        public void close() {}
      };

  /** Requests a notification soon; {@code false} if one is requested already and not sent yet. */
  boolean request();

  /**
   * One pass: sends a notification if one is requested, at once if none was sent for a while; says
   * how long to wait for the next pass.
   */
  Duration sendIfRequested();

  /** One pass: waits for a notification for this long at most; says whether one came. */
  boolean listen(Duration atMost);

  /**
   * Has the next pass that sends end the wait of this process' own listener, and of no other: this
   * notifier is about to be closed.
   */
  void wakeListener();

  /** Whether there is any point in listening. */
  boolean isAudible();

  @Override
  void close();
}

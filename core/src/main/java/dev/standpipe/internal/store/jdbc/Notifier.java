package dev.standpipe.internal.store.jdbc;

import java.time.Duration;

/**
 * Tells other processes that there is work, sooner than they would look. A hint only: nothing
 * depends on it being heard.
 */
public interface Notifier extends AutoCloseable {
  /** A bell that nobody hears. */
  Notifier SILENT =
      new Notifier() {
        @Override
        public Duration ringIfAsked() {
          return Duration.ofHours(1);
        }

        @Override
        public boolean ask() {
          return false;
        }

        @Override
        public boolean listen(Duration atMost) {
          return false;
        }

        @Override
        public void hush() {}

        @Override
        public boolean isAudible() {
          return false;
        }

        @Override
        public void close() {}
      };

  /** Asks for the bell to be rung soon; {@code false} if somebody has since it was last rung. */
  boolean ask();

  /**
   * One pass: rings if asked to, at once after a silence and else after a while; says how long to
   * wait for the next.
   */
  Duration ringIfAsked();

  /** One pass: waits for the bell for this long at most; says whether it was heard. */
  boolean listen(Duration atMost);

  /**
   * Has the next pass of whoever rings end the wait of whoever listens here, and of nobody else:
   * this one is about to be closed.
   */
  void hush();

  /** Whether there is any point in listening. */
  boolean isAudible();

  @Override
  void close();
}

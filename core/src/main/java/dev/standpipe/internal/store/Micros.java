package dev.standpipe.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Times as the store exchanges them with the database: whole microseconds. */
final class Micros {
  private Micros() {}

  static long of(Duration duration) {
    return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + duration.getNano() / 1000;
  }

  static Duration duration(long micros) {
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(duration(micros));
  }
}

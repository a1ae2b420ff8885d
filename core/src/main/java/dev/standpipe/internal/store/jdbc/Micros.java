package dev.standpipe.internal.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Times as the store exchanges them with the database: whole microseconds. */
public final class Micros {
  private Micros() {}

  public static long of(Duration duration) {
    return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + duration.getNano() / 1000;
  }

  /** Since 1970. */
  public static long of(Instant instant) {
    return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1000;
  }

  public static Duration duration(long micros) {
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(duration(micros));
  }
}

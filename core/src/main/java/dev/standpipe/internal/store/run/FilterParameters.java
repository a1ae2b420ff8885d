package dev.standpipe.internal.store.run;

import dev.standpipe.RunStatus;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Words;
import dev.standpipe.operate.RunFilter;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A filter of runs as the statements take it. */
final class FilterParameters {
  private static final long FIRST_SECOND = -62_135_596_800L;
  private static final long LAST_SECOND = 253_402_300_799L;

  /**
   * The statuses that no index has: most runs are in one of them, and pass from one to the other.
   */
  private static final Set<RunStatus> COMMON = Set.of(RunStatus.RUNNING, RunStatus.SUCCEEDED);

  private FilterParameters() {}

  /**
   * Runs in rare statuses alone are looked up; with a common one among them, all are gone through.
   */
  static Query set(Query query, RunFilter filter) {
    Rows rare = new Rows("status text");
    Rows statuses = new Rows("status text");
    Rows asked = COMMON.stream().anyMatch(filter.statuses()::contains) ? statuses : rare;
    filter.statuses().forEach(status -> asked.add(Words.of(status)));
    Rows labels = new Rows("name text", "value text");
    filter.labels().forEach(labels::add);
    return query
        .set("pipeline", filter.pipeline().orElse(null))
        .set("rare", rare)
        .set("statuses", statuses)
        .set("labels", labels)
        .set("since_us", micros(filter.since()))
        .set("until_us", micros(filter.until()));
  }

  /** No run was started before the year 1, or will be after 9999, and no database can tell more. */
  private static @Nullable Long micros(Optional<Instant> time) {
    return time.map(FilterParameters::micros).orElse(null);
  }

  private static long micros(Instant time) {
    long seconds = Math.max(FIRST_SECOND, Math.min(LAST_SECOND, time.getEpochSecond()));
    return TimeUnit.SECONDS.toMicros(seconds) + time.getNano() / 1000;
  }
}

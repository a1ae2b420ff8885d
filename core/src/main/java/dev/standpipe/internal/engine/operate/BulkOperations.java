package dev.standpipe.internal.engine.operate;

import dev.standpipe.RunStatus;
import dev.standpipe.error.NotPausedException;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.internal.engine.client.Arguments;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.RunQueries.RunCount;
import dev.standpipe.internal.port.RunQueries.Selection;
import dev.standpipe.operate.Bulk;
import dev.standpipe.operate.BulkResult;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Revive;
import dev.standpipe.operate.RunFilter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;

/** An operator's actions on all runs that a filter lets through. */
final class BulkOperations implements Bulk {
  private static final int AT_ONCE = 100;
  private static final int MOST_REFUSED = 100;
  private static final UUID FIRST = new UUID(0, 0);
  private static final Set<RunStatus> ALL = EnumSet.allOf(RunStatus.class);

  private final Operator one;
  private final RunQueries runs;
  private final RunFilter filter;
  private final boolean dry;

  BulkOperations(Operator one, RunQueries runs, RunFilter filter) {
    this(one, runs, filter, false);
    Arguments.require(
        !filter.isEmpty() || filter.everything(),
        "This filter lets every run through: name a pipeline, a status, a label or a time, or say that every run is meant");
  }

  private BulkOperations(Operator one, RunQueries runs, RunFilter filter, boolean dry) {
    this.one = one;
    this.runs = runs;
    this.filter = filter;
    this.dry = dry;
  }

  /** A filter of whatever status, if it names none. */
  static RunFilter named(RunFilter filter) {
    return named(filter, ALL);
  }

  private static RunFilter named(RunFilter filter, Set<RunStatus> statuses) {
    return filter.statuses().isEmpty() ? filter.status(statuses.toArray(RunStatus[]::new)) : filter;
  }

  @Override
  public Bulk dryRun() {
    return new BulkOperations(one, runs, filter, true);
  }

  @Override
  public BulkResult cancel(String reason, Duration grace) {
    return each(
        "canceled",
        EnumSet.of(RunStatus.WAITING, RunStatus.RUNNING, RunStatus.PAUSED, RunStatus.HALTING),
        reason,
        run -> {
          one.cancel(run, reason, grace);
          return true;
        });
  }

  @Override
  public BulkResult revive(String reason, Revive options) {
    return each(
        "revived",
        EnumSet.of(RunStatus.HALTED, RunStatus.FAILED, RunStatus.CANCELED),
        reason,
        run -> {
          one.revive(run, reason, options);
          return true;
        });
  }

  @Override
  public BulkResult rerun(String reason) {
    return each(
        "started again",
        ALL,
        reason,
        run -> {
          one.rerun(run, reason);
          return true;
        });
  }

  @Override
  public BulkResult pause(String reason) {
    return each(
        "paused",
        EnumSet.of(RunStatus.WAITING, RunStatus.RUNNING),
        reason,
        run -> one.pause(run, reason));
  }

  @Override
  public BulkResult resume(String reason) {
    return each(
        "resumed",
        EnumSet.of(RunStatus.PAUSED),
        reason,
        run -> {
          one.resume(run, reason);
          return true;
        });
  }

  private BulkResult each(
      String done, Set<RunStatus> possible, String reason, Predicate<UUID> action) {
    Arguments.audited("the operator", reason);
    requirePossible(done, possible);
    RunFilter meant = named(filter, possible);
    RunCount counted = runs.count(meant);
    if (dry) {
      return new BulkResult(counted.runs(), 0, Map.of());
    }
    return through(upTo(meant, counted), counted.runs(), action);
  }

  /** Runs that are started meanwhile, perhaps by this call, are left out. */
  private static RunFilter upTo(RunFilter filter, RunCount counted) {
    boolean earlier = filter.until().map(until -> until.isBefore(counted.at())).orElse(false);
    boolean later = filter.since().map(since -> !since.isBefore(counted.at())).orElse(false);
    return earlier || later ? filter : filter.until(counted.at());
  }

  private BulkResult through(RunFilter meant, long matched, Predicate<UUID> action) {
    long changed = 0;
    Map<UUID, String> refused = new LinkedHashMap<>();
    List<UUID> batch = runs.select(new Selection(meant, FIRST, AT_ONCE));
    while (!batch.isEmpty()) {
      for (UUID run : batch) {
        try {
          changed += action.test(run) ? 1 : 0;
        } catch (RunEndedException
            | RunHaltingException
            | NotPausedException
            | NotRevivableException
            | UnknownRunException e) {
          refuse(refused, run, e);
        }
      }
      batch = runs.select(new Selection(meant, batch.get(batch.size() - 1), AT_ONCE));
    }
    return new BulkResult(matched, changed, refused);
  }

  private static void refuse(Map<UUID, String> refused, UUID run, StandpipeException why) {
    if (refused.size() < MOST_REFUSED) {
      refused.put(run, String.valueOf(why.getMessage()));
    }
  }

  private void requirePossible(String done, Set<RunStatus> possible) {
    Set<String> others = new TreeSet<>();
    filter.statuses().stream()
        .filter(status -> !possible.contains(status))
        .forEach(status -> others.add(word(status)));
    Arguments.require(
        others.isEmpty(),
        "Runs that are %s cannot be %s: name some of %s, or no status"
            .formatted(
                String.join(" or ", others),
                done,
                possible.stream().map(BulkOperations::word).toList()));
  }

  private static String word(RunStatus status) {
    return status.name().toLowerCase(Locale.ROOT);
  }
}

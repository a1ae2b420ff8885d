package dev.standpipe.operate;

import dev.standpipe.RunStatus;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which runs are meant: those for which everything said is true. Callbacks and compensations, which
 * are runs of hidden pipelines, are meant only by the names of those. Immutable; each method
 * returns a changed copy.
 *
 * @param pipeline the name of their pipeline
 * @param statuses what they are at present, one of these; empty for whatever is possible
 * @param labels labels that they have, perhaps among others
 * @param since when they were started at the earliest, by the database's clock
 * @param until before when they were started, by the database's clock
 * @param everything whether a filter that says nothing else means every run
 */
public record RunFilter(
    Optional<String> pipeline,
    Set<RunStatus> statuses,
    Map<String, String> labels,
    Optional<Instant> since,
    Optional<Instant> until,
    boolean everything) {

  /** Checks the times and copies the rest. */
  public RunFilter {
    statuses = Set.copyOf(statuses);
    labels = Map.copyOf(labels);
    require(pipeline.isEmpty() || !pipeline.get().isBlank(), "A pipeline's name is not blank");
    require(labels.keySet().stream().noneMatch(String::isBlank), "A label's name is not blank");
    require(
        since.isEmpty() || until.isEmpty() || since.get().isBefore(until.get()),
        "No run was started since " + since + " and before " + until + ": give an earlier since");
  }

  /** Says nothing yet. */
  public static RunFilter where() {
    return new RunFilter(
        Optional.empty(), Set.of(), Map.of(), Optional.empty(), Optional.empty(), false);
  }

  /** Every run there is, on purpose. */
  public static RunFilter every() {
    return new RunFilter(
        Optional.empty(), Set.of(), Map.of(), Optional.empty(), Optional.empty(), true);
  }

  /** Of this pipeline. */
  public RunFilter pipeline(String name) {
    require(name != null, "The pipeline's name is null: give one");
    return new RunFilter(Optional.of(name), statuses, labels, since, until, everything);
  }

  /** Being one of these, or of those said before. */
  public RunFilter status(RunStatus... more) {
    require(more != null && !Arrays.asList(more).contains(null), "A status is null: give one");
    Set<RunStatus> all = EnumSet.noneOf(RunStatus.class);
    all.addAll(statuses);
    all.addAll(List.of(more));
    return new RunFilter(pipeline, all, labels, since, until, everything);
  }

  /** With this label, besides those said before. */
  public RunFilter label(String name, String value) {
    require(name != null && value != null, "A label's name or value is null: give both");
    Map<String, String> all = new HashMap<>(labels);
    all.put(name, value);
    return new RunFilter(pipeline, statuses, all, since, until, everything);
  }

  /** Started then or later. */
  public RunFilter since(Instant time) {
    require(time != null, "The time is null: give one");
    return new RunFilter(pipeline, statuses, labels, Optional.of(time), until, everything);
  }

  /** Started before. */
  public RunFilter until(Instant time) {
    require(time != null, "The time is null: give one");
    return new RunFilter(pipeline, statuses, labels, since, Optional.of(time), everything);
  }

  /** Whether it lets every run through. */
  public boolean isEmpty() {
    return pipeline.isEmpty()
        && statuses.isEmpty()
        && labels.isEmpty()
        && since.isEmpty()
        && until.isEmpty();
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new StandpipeException(ErrorCode.INVALID_ARGUMENT, problem);
    }
  }
}

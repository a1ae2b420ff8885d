package dev.standpipe.internal.port;

import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.SubStepInfo;
import dev.standpipe.info.TurnInfo;
import dev.standpipe.operate.RunFilter;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/**
 * What can be read of runs. Each call is one statement, however many runs it is about, and none
 * writes or locks a row. {@link Runs} changes them.
 */
public interface RunQueries {
  /** One run. */
  Optional<RunInfo> find(UUID run);

  /** The newest runs that a filter, which names a status at least, lets through. */
  List<RunInfo> newest(RunFilter filter, int limit);

  /**
   * How many runs there are.
   *
   * @param runs how many
   * @param at when they were counted, by the database's clock
   */
  record RunCount(long runs, Instant at) {}

  /** How many runs a filter, which names a status at least, lets through. */
  RunCount count(RunFilter filter);

  /**
   * Which runs are meant.
   *
   * @param filter what is true of them; a status at least
   * @param after only those with a higher id
   * @param limit how many at most
   */
  record Selection(RunFilter filter, UUID after, int limit) {}

  /** The ids of runs, in their order: the oldest first. */
  List<UUID> select(Selection selection);

  /**
   * The run that has a key.
   *
   * @param id its id
   * @param key the key
   * @param keyHash what tells its input from another's
   */
  record Keyed(UUID id, String key, String keyHash) {}

  /** The runs of a pipeline that have these keys. */
  List<Keyed> keyed(String pipeline, Collection<String> keys);

  /** The lane of a run. */
  Optional<Integer> lane(UUID run);

  /** How often a revive has said that the steps of a node which it started may be retried. */
  OptionalInt retryLimit(UUID run, String node);

  /** The runs among these that have ended. */
  List<UUID> ended(Collection<UUID> runs);

  /**
   * A run that a caller awaits.
   *
   * @param run the run
   * @param output the key of the node whose value is its output, unless a step ends it early
   */
  record Awaited(UUID run, String output) {}

  /**
   * A run that has ended.
   *
   * @param run the run
   * @param output its encoded output if it succeeded, has one, and that is not too long
   */
  record Answer(UUID run, Optional<String> output) {}

  /** The runs among these that have ended, with outputs of up to so many bytes. */
  List<Answer> ends(Collection<Awaited> runs, int longestOutput);

  /** The steps of a run that have a row, finished or not, in the order of node and index. */
  List<StepInfo> steps(UUID run);

  /** The sub-steps of a step, in the order in which they were written. */
  List<SubStepInfo> subSteps(UUID run, String node, int index);

  /** Steps of a run that have no outcome, in the order of node and index; so many at most. */
  List<PendingStep> pending(UUID run, int limit);

  /** Steps of a run that have failed, in the order of node and index; as many as this at most. */
  List<StepId> failed(UUID run, int limit);

  /** The last attempt at a step of a node that did not succeed. */
  Optional<AttemptInfo> decisive(UUID run, String node);

  /** The settled attempts of a run, oldest first. */
  List<AttemptInfo> attempts(UUID run);

  /** The turns of a loop that are stored, with their states encoded, oldest first. */
  List<TurnInfo<String>> turns(UUID run, String node, int index);

  /** The encoded result of a run: what a step ended it early with, or else this node's value. */
  Optional<String> output(UUID run, String node);

  /** The encoded value of a step that succeeded. */
  Optional<String> value(UUID run, String node, int index);

  /** The first runs, by their ids, that are halting or being canceled, and not yet ended. */
  default List<UUID> halting(int limit) {
    return halting(new UUID(0, 0), limit);
  }

  /** The first of them behind this one. */
  List<UUID> halting(UUID after, int limit);

  /**
   * Runs and tries whose results are not wanted any more.
   *
   * @param runs those that are being canceled, are out of time, or were ended early by a step, and
   *     have not ended
   * @param tries those that were cut off from their tasks after the grace of a cancel
   */
  record Unwanted(Set<UUID> runs, Set<TaskRef> tries) {}

  /** The runs whose bodies are to be interrupted, and the tries of this process that are. */
  Unwanted unwanted(UUID owner);
}

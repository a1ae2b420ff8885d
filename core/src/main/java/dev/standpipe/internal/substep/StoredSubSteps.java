package dev.standpipe.internal.substep;

import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.ResultKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The tables {@code substep}, {@code checkpoint} and {@code progress}: what tries write while they
 * go on.
 */
public interface StoredSubSteps {
  /** What a try writes. */
  sealed interface Memo permits SubStep, Checkpoint {
    /** Its text. */
    String value();
  }

  /**
   * What a call inside of a body returned.
   *
   * @param key the key of the call within the step
   * @param value the value, encoded
   */
  record SubStep(String key, String value) implements Memo {}

  /**
   * How far a body has come; replaces the step's last one.
   *
   * @param value what the body is to go on with, encoded
   */
  record Checkpoint(String value) implements Memo {}

  /**
   * Something that a try writes.
   *
   * @param ref its task
   * @param node the key of its node
   * @param index its index
   * @param memo what
   */
  record TryWrite(TaskRef ref, String node, int index, Memo memo) {
    /** The step that it is written for. */
    public ResultKey step() {
      return new ResultKey(ref.run(), node, index);
    }
  }

  /**
   * Writes what tries of one owner write, in one transaction: each if the owner still holds the
   * task with that very token, whatever its run is, and not at all otherwise. What is there already
   * with the same token counts as written, so a write whose reply was lost may be sent again. Of
   * several checkpoints of one step the last is written.
   *
   * @return of each, whether it is written
   */
  List<Boolean> write(UUID owner, List<TryWrite> writes);

  /**
   * What a try has written.
   *
   * @param value the value, encoded
   * @param token that of the try: one with an older token is over
   */
  record StoredMemo(String value, long token) {}

  /** The sub-steps of a step by their keys. */
  Map<String, StoredMemo> subSteps(ResultKey step);

  /** The last checkpoint of a step. */
  Optional<StoredMemo> checkpoint(ResultKey step);

  /**
   * How far a try says that it has come.
   *
   * @param ref its task
   * @param node the key of its node
   * @param index its index
   * @param done how much is done
   * @param total how much there is to do
   * @param note what it says of that
   */
  record Report(TaskRef ref, String node, int index, long done, long total, String note) {}

  /**
   * Writes what tries of one owner report, if it is a process that the database knows, and not over
   * what a try with a newer token has reported. Waits for no other that writes to tasks.
   */
  void report(UUID owner, List<Report> reports);
}

package dev.standpipe.internal.port;

import java.util.Comparator;
import java.util.UUID;

/**
 * A task that a process holds, with the token it is held with. A claim hands it out, the try keeps
 * it, and the settlement hands it back. Where the store keeps the task is the store's own business:
 * it may hand out refs of a kind of its own, which it knows again. Two refs are equal if they are
 * to the same task with the same token, wherever that is kept. Immutable.
 */
public class TaskRef {
  /** A transaction that locks several tasks locks them in this order. */
  public static final Comparator<TaskRef> LOCK_ORDER =
      Comparator.comparing(TaskRef::run).thenComparingLong(TaskRef::id);

  private final UUID run;
  private final long id;
  private final long token;

  /**
   * A task with a row of its own.
   *
   * @param run its run
   * @param id its id within the run
   * @param token its fencing token
   */
  public TaskRef(UUID run, long id, long token) {
    this.run = run;
    this.id = id;
    this.token = token;
  }

  public final UUID run() {
    return run;
  }

  public final long id() {
    return id;
  }

  public final long token() {
    return token;
  }

  /** The same for all tasks that are best settled by the same committer. */
  public int affinity() {
    return run.hashCode();
  }

  /** Whether the store settles it by another statement than most, so that it is best sent apart. */
  public boolean isSettledApart() {
    return false;
  }

  /** The same row, handed on: to the next step, or to an expand's next elements. */
  public final TaskRef handedOn() {
    return new TaskRef(run, id, token + 1);
  }

  /** A task that this one starts, and that its process holds from the start. */
  public final TaskRef started(long startedId) {
    return new TaskRef(run, startedId, era() + 1);
  }

  /**
   * What the tokens of tasks count up from that start with this one. They go on above those of all
   * the times before the run was last brought back, as those do that it was brought back with.
   */
  public final long era() {
    return token - token % Quarantines.REVIVED;
  }

  /** Whether its run was brought back. */
  public final boolean isRevived() {
    return token > Quarantines.REVIVED;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof TaskRef ref
        && id == ref.id
        && token == ref.token
        && run.equals(ref.run);
  }

  @Override
  public final int hashCode() {
    return (run.hashCode() * 31 + Long.hashCode(id)) * 31 + Long.hashCode(token);
  }

  @Override
  public final String toString() {
    return run + "/" + id + "@" + token;
  }
}

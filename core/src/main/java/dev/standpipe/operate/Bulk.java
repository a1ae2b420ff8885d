package dev.standpipe.operate;

import java.time.Duration;

/**
 * Does things to all runs that a filter lets through, one after the other as {@link Operator} does
 * them to one, in small batches, oldest first. Runs that are started after it began are left alone.
 * If it fails in the middle, or its process dies, what was done stays; call it again for the rest.
 *
 * <p>A filter that names no status means all statuses in which the action is possible; a filter
 * that names a status in which it is not is refused. For every run, say {@link RunFilter#every()}.
 * Thread-safe.
 */
public interface Bulk {
  /** A dry run: the same calls count runs and change nothing. */
  Bulk dryRun();

  /** {@link Operator#cancel(java.util.UUID, String) Cancels} runs with a grace of ten seconds. */
  default BulkResult cancel(String reason) {
    return cancel(reason, Operator.CANCEL_GRACE);
  }

  /** {@link Operator#cancel Cancels} runs that are running, waiting, paused or halting. */
  BulkResult cancel(String reason, Duration grace);

  /** {@link #revive(String, Revive) Revives} runs with all that has failed. */
  default BulkResult revive(String reason) {
    return revive(reason, Revive.all());
  }

  /** {@link Operator#revive Revives} runs that have ended halted, failed or canceled. */
  BulkResult revive(String reason, Revive options);

  /** {@link Operator#rerun Starts} a new run on the input of each, whatever has become of it. */
  BulkResult rerun(String reason);

  /** {@link Operator#pause(java.util.UUID, String) Pauses} runs that are running or waiting. */
  BulkResult pause(String reason);

  /** {@link Operator#resume(java.util.UUID, String) Resumes} runs that are paused. */
  BulkResult resume(String reason);
}

package dev.standpipe.info;

/** Where a step is in its life. Steps that wait for their inputs have no row yet. */
public enum StepState {
  /** Waiting for a process to take it. */
  READY,
  /** Held by a process under its lease. */
  LEASED,
  /** It would be ready, were its run not paused. */
  PAUSED,
  /** Waiting for its time: a retry or a delayed start. */
  SCHEDULED,
  /** Waiting for a signal, or for a run it has called. */
  WAITING,
  /** Its result stands. */
  SUCCEEDED,
  /** It failed for good. */
  FAILED,
  /** It will not run: it is on an arm that was not taken, or all its inputs were skipped. */
  SKIPPED,
  /** It will not run: something it depends on has failed, and the run goes on without. */
  UPSTREAM_FAILED,
  /** Set aside because the processes that held it kept dying. */
  QUARANTINED
}

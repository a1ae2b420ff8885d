package dev.standpipe.definition;

/**
 * What it means for the rest of a run that one of its steps has failed for good. Said for a
 * pipeline, and for single steps where they differ.
 */
public enum Strategy {
  /** The run is stopped: nothing runs that has not begun, and it ends halted. */
  HALT,
  /** What depends on the step is lost, all else goes on, and the run ends failed. */
  CONTINUE,
  /** What depends on the step goes on without its value, and the run ends failed. */
  IGNORE
}

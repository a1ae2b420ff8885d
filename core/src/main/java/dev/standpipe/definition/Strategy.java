package dev.standpipe.definition;

/**
 * What it means for the rest of a run that one of its steps has failed for good. Said for a
 * pipeline, and for single steps where they differ.
 */
public enum Strategy {
  /** The run is stopped: nothing runs that has not begun, and it ends halted. */
  HALT,
  /** The steps that depend on it are lost, all others go on, and the run ends failed. */
  CONTINUE,
  /** The steps that depend on it go on without its value, and the run ends failed. */
  IGNORE
}

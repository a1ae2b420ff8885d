package dev.standpipe.definition;

/** What a node does when its turn comes. */
public enum NodeKind {
  /** Stands for the run's input; finished when the run starts. */
  INPUT,
  /** Runs a body once; below an expand, once per element. */
  STEP,
  /** Runs a body that yields elements; what follows runs once per element. */
  EXPAND,
  /** Runs a body once on the list of all elements' values. */
  COLLAPSE
}

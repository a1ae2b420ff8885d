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
  COLLAPSE,
  /**
   * Runs a body that names the arm to take; the steps on the others are skipped. Below an expand,
   * once per element.
   */
  DIVERT,
  /** Brings the arms of a divert together again: its value is that of the arm taken. */
  CONVERGE,
  /** Passes its input's value on after a while; below an expand, once per element. */
  DELAY,
  /** Parts the nodes declared before it from the nodes declared after it; has no value. */
  BARRIER,
  /** Waits for a signal, whose value is its own; below an expand, once per element. */
  AWAIT,
  /**
   * Calls a run of another pipeline, whose result is its own; below an expand, once per element.
   */
  CALL,
  /** Runs turn after turn until one is the last, whose value is its own; per element below one. */
  LOOP;

  /** Whether one on an element is there once per element. */
  public boolean followsElements() {
    return switch (this) {
      case STEP, EXPAND, DIVERT, DELAY, AWAIT, CALL, LOOP -> true;
      case INPUT, COLLAPSE, CONVERGE, BARRIER -> false;
    };
  }
}

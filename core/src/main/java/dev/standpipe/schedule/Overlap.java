package dev.standpipe.schedule;

/** What happens at an instant of a schedule while the run of an earlier one has not ended. */
public enum Overlap {
  /** Another run starts beside it. */
  ALLOW,
  /** No run starts for this instant. */
  SKIP,
  /**
   * The run of this instant starts when the earlier one has ended. {@link Missed} says how many
   * instants may wait.
   */
  QUEUE,
  /** The earlier run is canceled, and another starts. */
  CANCEL
}

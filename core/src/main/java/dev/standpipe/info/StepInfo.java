package dev.standpipe.info;

/**
 * One step of a run as the database knows it at one moment.
 *
 * @param node the key of its node
 * @param index the element's position below an expand, otherwise 0
 * @param state where it is
 * @param attempt the attempt it is at, or that settled it
 * @param crashes how often the process that held it died, since it last made progress
 * @param token its newest fencing token
 * @param turn the turn that a loop is at, or that ended it; 1 for all other steps
 */
public record StepInfo(
    String node, int index, StepState state, int attempt, int crashes, long token, int turn) {
  /** A step that is no loop, or is at its first turn. */
  public StepInfo(String node, int index, StepState state, int attempt, int crashes, long token) {
    this(node, index, state, attempt, crashes, token, 1);
  }
}

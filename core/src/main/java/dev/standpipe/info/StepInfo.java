package dev.standpipe.info;

import java.util.Optional;

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
 * @param subSteps how many sub-steps its tries have committed
 * @param progress what its body has last reported, if it has
 */
public record StepInfo(
    String node,
    int index,
    StepState state,
    int attempt,
    int crashes,
    long token,
    int turn,
    int subSteps,
    Optional<StepProgress> progress) {
  /** A step at its first turn, without sub-steps, that reports nothing. */
  public StepInfo(String node, int index, StepState state, int attempt, int crashes, long token) {
    this(node, index, state, attempt, crashes, token, 1, 0, Optional.empty());
  }
}

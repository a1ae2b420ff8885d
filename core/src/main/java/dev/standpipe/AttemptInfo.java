package dev.standpipe;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One settled try at a step.
 *
 * @param node the key of the node
 * @param index the element's position below an expand, otherwise 0
 * @param token the fencing token of the try
 * @param attempt its number, from 1; a crashed try has the number of the try it interrupted
 * @param outcome how it ended
 * @param process the process that made it
 * @param finishedAt when it was recorded, by the database's clock
 * @param elapsed how long the body ran; zero if that is not known
 * @param error the error, if it did not succeed
 */
public record AttemptInfo(
    String node,
    int index,
    long token,
    int attempt,
    AttemptOutcome outcome,
    UUID process,
    Instant finishedAt,
    Duration elapsed,
    Optional<StepError> error) {}

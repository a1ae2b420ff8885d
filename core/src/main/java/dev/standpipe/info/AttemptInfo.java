package dev.standpipe.info;

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
 * @param attempt its number, from 1; what follows a crashed or a snoozed try has its number again
 * @param outcome how it ended
 * @param process the process that made it
 * @param finishedAt when it was recorded, by the database's clock
 * @param elapsed how long the body ran; zero if that is not known
 * @param error the error, if it failed
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

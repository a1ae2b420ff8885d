package dev.standpipe.info;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A step of a run that has no outcome yet, and what it waits for.
 *
 * @param node the key of its node
 * @param index the element's position below an expand, otherwise 0
 * @param state where it is
 * @param attempt the attempt it is at
 * @param dueIn how long until its time comes, by the database's clock: of its next try, the end of
 *     its delay, or when its await expires; negative if it has come
 * @param holder the name of the process that holds it
 * @param calls the run it has called and waits for
 * @param served whether a live process serves the definition of its run
 * @param lastError why its last try failed, if one has
 */
public record PendingStep(
    String node,
    int index,
    StepState state,
    int attempt,
    Optional<Duration> dueIn,
    Optional<String> holder,
    Optional<UUID> calls,
    boolean served,
    Optional<StepError> lastError) {}

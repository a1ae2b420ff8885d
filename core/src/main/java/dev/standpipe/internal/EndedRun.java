package dev.standpipe.internal;

import org.jspecify.annotations.Nullable;

/**
 * The input of a callback's run, as it is stored: how the run it follows has ended.
 *
 * @param run the run's id
 * @param pipeline the name of its pipeline
 * @param status how it has ended
 * @param haltReason why it was halted, if it was
 * @param haltNode the step that halted it, if one did
 * @param output the key of the node whose value is its result
 */
public record EndedRun(
    String run,
    String pipeline,
    String status,
    @Nullable String haltReason,
    @Nullable String haltNode,
    String output) {}

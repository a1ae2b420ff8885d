package dev.standpipe.internal.coordinate;

import java.util.List;

/**
 * What follows from a finished step.
 *
 * @param starts the steps that start now
 * @param skips the steps that are skipped with it
 * @param arrivals the counters that change
 * @param finishes whether the run ends now
 */
public record Advance(
    List<Start> starts, List<Skip> skips, List<Arrival> arrivals, boolean finishes) {}

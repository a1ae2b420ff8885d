package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Vertex;
import org.jspecify.annotations.Nullable;

/**
 * A change to how many arrivals a target still waits for.
 *
 * @param target what waits, or {@code null} for the end of the run
 * @param index the target's index
 * @param need how many arrivals it waits for before any has come
 * @param delta what to add to those remaining: −1 for an arrival, n − 1 for an expand of n elements
 */
public record Arrival(@Nullable Vertex target, int index, int need, int delta) {}

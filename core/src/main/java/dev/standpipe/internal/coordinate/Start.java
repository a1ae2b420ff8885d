package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Vertex;

/**
 * Steps of one vertex that may start.
 *
 * @param vertex the vertex
 * @param first the index of the first of them
 * @param count how many, with consecutive indexes
 */
public record Start(Vertex vertex, int first, int count) {}

package dev.standpipe.info;

import java.util.UUID;

/**
 * Where a run has left the way of another.
 *
 * @param original the other run
 * @param node the node it was started from
 */
public record ForkPoint(UUID original, String node) {}

package dev.standpipe.info;

import java.time.Instant;

/**
 * A sub-step of a step: a call inside of its body that has returned, and is not made again.
 *
 * @param node the key of the step's node
 * @param index the element's position below an expand, otherwise 0
 * @param key the key of the call within the step
 * @param token the fencing token of the try that made the call
 * @param writtenAt when its value was committed, by the database's clock
 */
public record SubStepInfo(String node, int index, String key, long token, Instant writtenAt) {}

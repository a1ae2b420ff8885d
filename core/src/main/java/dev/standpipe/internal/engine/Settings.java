package dev.standpipe.internal.engine;

import dev.standpipe.Role;
import java.time.Duration;

/**
 * How a process works.
 *
 * @param name what people call it
 * @param concurrency how many bodies run at once
 * @param lease how long the database waits for a sign of life
 * @param pollInterval how long an idle process waits before it looks again
 * @param grace how long bodies may go on after a graceful stop has begun
 * @param maxBatch how many settlements one commit carries at most
 * @param maxValueBytes how large an encoded value may be
 * @param crashLimit how many processes may die with a step before it is quarantined
 * @param role which part of the work it does
 * @param hooks what runs before the work begins and after it has ended
 */
public record Settings(
    String name,
    int concurrency,
    Duration lease,
    Duration pollInterval,
    Duration grace,
    int maxBatch,
    int maxValueBytes,
    int crashLimit,
    Role role,
    Hooks hooks) {}

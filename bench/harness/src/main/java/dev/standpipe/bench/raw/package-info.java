/**
 * The practical limit: a bare SQL loop with Standpipe's guarantees and none of its engine.
 *
 * <p>It keeps the same rows (run, task, result, arrival), claims with {@code SKIP LOCKED}, raises a
 * fencing token with every claim and every hand-over, writes results only for tasks that are still
 * its own, ends runs, and counts arrivals at a fan-in, all in one statement and so one commit for
 * up to 200 steps. One thread claims, two commit. It has no graph, no retries, no reaper and no
 * codec: whatever an engine does on top of this is what it costs.
 */
@NullMarked
package dev.standpipe.bench.raw;

import org.jspecify.annotations.NullMarked;

/**
 * What follows from an outcome, as a pure function of the graph: no I/O, no clock, no state.
 *
 * <p>The coordinator is where I5 is decided (a step starts only after everything it depends on, and
 * is created exactly once): a direct link starts its target at once, any other adds to a counter
 * that the store keeps in the same transaction, and the one commit that brings the counter to zero
 * starts the target. {@code docs/models/FanIn.tla} is that rule under concurrent commits, checked
 * by TLC in every build.
 */
@NullMarked
package dev.standpipe.internal.coordinate;

import org.jspecify.annotations.NullMarked;

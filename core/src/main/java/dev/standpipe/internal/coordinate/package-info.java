/**
 * What follows from an outcome, as a pure function of the graph: no I/O, no clock, no state.
 *
 * <p>The coordinator is where I5 is decided (a step starts only after everything it depends on, and
 * is created exactly once): a direct link starts its target at once, any other adds to a counter
 * that the store keeps in the same transaction, and the one commit that brings the counter to zero
 * starts the target. {@code docs/models/FanIn.tla} is that rule under concurrent commits, checked
 * by TLC in every build.
 *
 * <p>A step that is skipped ends like any other, and arrives wherever it would have. Steps that
 * depend on it alone are skipped with it, all at once; a step that waits for several learns its
 * {@link dev.standpipe.internal.coordinate.Fate} when its turn comes, from how the steps before it
 * ended.
 */
@NullMarked
package dev.standpipe.internal.coordinate;

import org.jspecify.annotations.NullMarked;

/**
 * Judges what processes did, from outside: the histories they wrote while they worked, and the
 * tables they left behind.
 *
 * <p><b>Independence.</b> Nothing here depends on the engine, its store or its coordinator: what
 * they get wrong, this must not get wrong with them. All it knows are the tables, the graphs in
 * them, and the invariants I1–I10 of the design.
 *
 * <p><b>When.</b> After faults have stopped and the work is drained: {@code I1} and {@code I8} take
 * whatever has not ended by then for lost. Everything is read, nothing is written.
 *
 * <p><b>How it grows.</b> One {@link dev.standpipe.checker.Rule} per invariant. I6 and I9 have no
 * rows to judge yet: a rule joins with the feature.
 */
@NullMarked
package dev.standpipe.checker;

import org.jspecify.annotations.NullMarked;

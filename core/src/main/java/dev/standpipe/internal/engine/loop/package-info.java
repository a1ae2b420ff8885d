/**
 * Threads and pacing. A part of the engine is one pass, a method that returns; a {@link
 * dev.standpipe.internal.engine.loop.Duty} says when its pass is due again, a {@link
 * dev.standpipe.internal.engine.loop.EngineLoop} has the thread that performs one duty or several
 * in turn.
 *
 * <p><b>Failure.</b> A pass that throws is tried again after a pause that grows, and holds up no
 * other duty of its loop. {@link dev.standpipe.internal.engine.loop.LoopWatchdog} replaces threads
 * that have died, and interrupts a pass that does not return; it never runs two passes of one part
 * at once.
 *
 * <p>{@link dev.standpipe.internal.engine.loop.Machine} is all that a process takes from the
 * machine it runs on (time that passes, ids, threads), so that the simulation can hand in its own.
 */
@NullMarked
package dev.standpipe.internal.engine.loop;

import org.jspecify.annotations.NullMarked;

/**
 * One attempt at a step: decodes its inputs, calls its body, encodes its value and reports its
 * outcome.
 *
 * <p><b>User code.</b> Bodies, codecs, predicates, iterators and exceptions are the user's: they
 * run on the threads of {@link dev.standpipe.internal.engine.execute.BodyPool} only, within the
 * step's time-out, and {@link dev.standpipe.internal.engine.execute.BodyRunner} catches everything
 * they throw. Of an exception only plain data is kept: {@link
 * dev.standpipe.internal.engine.execute.AttemptFailure}.
 *
 * <p><b>Who ends an attempt.</b> {@link dev.standpipe.internal.engine.execute.Attempt} has one end:
 * the body that returns, the time-out, a lost lease or a stop, whichever is first.
 */
@NullMarked
package dev.standpipe.internal.engine.execute;

import org.jspecify.annotations.NullMarked;

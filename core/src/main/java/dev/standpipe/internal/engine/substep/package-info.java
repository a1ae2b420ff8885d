/**
 * What a body keeps in the database while its try goes on: sub-steps and checkpoints.
 *
 * <p><b>Way.</b> {@link dev.standpipe.internal.engine.substep.TryMemory} belongs to one try. It
 * reads what earlier tries have left at the body's first question, and sends what this one leaves
 * to the committer of the run as a {@link dev.standpipe.internal.engine.substep.PendingWrite}. The
 * committer writes what has come from all bodies in one transaction, and answers each.
 *
 * <p><b>Authority.</b> A write is accepted only while the task has the token of the try and the
 * process as its owner (I3). The task is locked until the write is committed, and a try reads after
 * it was claimed: so it sees all that was accepted before, and nothing is accepted after that.
 *
 * <p><b>Failure.</b> A write whose reply was lost is sent again: its own row, with its own token,
 * counts as written. A refused write ends the try; see {@code docs/decisions/032}.
 */
@NullMarked
package dev.standpipe.internal.engine.substep;

import org.jspecify.annotations.NullMarked;

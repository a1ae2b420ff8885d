/**
 * How a process takes tasks, and how many (I3, I4, I11).
 *
 * <p>{@link dev.standpipe.internal.engine.claim.Claimer} takes ready tasks of all served lanes with
 * one statement under one limit; {@link dev.standpipe.internal.engine.claim.LaneTurns} and {@link
 * dev.standpipe.internal.engine.claim.QueuePlaces} see to it that no lane and no urgent run waits
 * for ever. {@link dev.standpipe.internal.engine.claim.SuspectClaimer} takes steps that processes
 * have died with, in groups that a death halves. {@link
 * dev.standpipe.internal.engine.claim.BodyDispatcher} fetches the inputs of what was taken, and
 * hands it to the bodies.
 *
 * <p>{@link dev.standpipe.internal.engine.claim.InFlight} has the tries that the process holds,
 * {@link dev.standpipe.internal.engine.claim.Capacity} says how many more it may take, and {@link
 * dev.standpipe.internal.engine.claim.Backpressure} lowers that while the way to the database
 * suffers. See {@code docs/decisions/005}, {@code 021} and {@code 023}.
 */
@NullMarked
package dev.standpipe.internal.engine.claim;

import org.jspecify.annotations.NullMarked;

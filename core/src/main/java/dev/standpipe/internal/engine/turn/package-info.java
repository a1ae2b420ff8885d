/**
 * The turns of loops. A loop is one step whose task row is handed on to itself, turn after turn, as
 * a chain hands its row on to the next step: with a new token, so that a late writer of an earlier
 * turn is refused (I3), and ready, leased or scheduled as the turn has said.
 *
 * <p>What a turn hands on is a row of {@code turn}, whose primary key lets each turn be written
 * once (I2), in the transaction that hands the task on. {@link
 * dev.standpipe.internal.engine.turn.TurnLookup} reads the last of them for a process that claims
 * the loop; a process that keeps it knows. The turns that nobody needs any more go in the same
 * transaction: a loop has so many rows as it keeps turns, however many it takes. The loop's value
 * is an ordinary result, written by the last turn, and what follows cannot tell a loop from a step.
 */
@NullMarked
package dev.standpipe.internal.engine.turn;

import org.jspecify.annotations.NullMarked;

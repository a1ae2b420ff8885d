/**
 * Events: emitted by bodies, and published to sinks by relays.
 *
 * <p>An event is a row of {@code outbox}, written in the transaction that settles its step. In the
 * same statement each sink gets a row in {@code outbox_delivery}. A {@link
 * dev.standpipe.internal.engine.outbox.RelayWorker} claims a slot of a sink (token, lease), reads
 * what is due there by place, has the sink take it, and deletes the rows of what was taken, if the
 * slot's token is still its own. A worker that dies in between leaves the rows: the next one
 * publishes them again, with the same ids (I6).
 *
 * <p>Why the order holds: an event that is emitted after another was committed has a higher place,
 * and is seen by no reader that does not see the other. One worker at a time has a slot, and a
 * subject has one slot. A worker that was left for dead and goes on publishes only what its
 * successor publishes as well, or had read before: a duplicate may come late, a first delivery
 * never comes before that of an earlier event.
 */
@NullMarked
package dev.standpipe.internal.engine.outbox;

import org.jspecify.annotations.NullMarked;

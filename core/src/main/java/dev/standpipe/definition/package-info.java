/**
 * A pipeline's shape without its code: which nodes there are and what leads to what.
 *
 * <p>A {@link dev.standpipe.definition.Graph} is immutable and identified by the hash of its
 * content. It holds keys, kinds and edges, and nothing that may change between two deploys without
 * changing the meaning of a run in flight: no types, no retry limits, no time-outs. It is what the
 * {@code definition} table stores, and all that the coordinator needs to know what follows from an
 * outcome.
 */
@NullMarked
package dev.standpipe.definition;

import org.jspecify.annotations.NullMarked;

/**
 * What the flow language means, through the API: every kind of node, what flows between nodes, and
 * what follows the end of a run.
 */
@NullMarked
package dev.standpipe.conformance.flow;

import org.jspecify.annotations.NullMarked;

/**
 * What a store does with runs: starts them, reads them, and stops, brings back and ends them. Also
 * the tables themselves.
 */
@NullMarked
package dev.standpipe.conformance.store.run;

import org.jspecify.annotations.NullMarked;

/**
 * How a process works, through the API: it starts runs, runs bodies, tries again, shares work with
 * other processes, outlives outages and stops.
 */
@NullMarked
package dev.standpipe.conformance.engine;

import org.jspecify.annotations.NullMarked;

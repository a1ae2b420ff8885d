/** What a store does about processes: their leases, their crashes, and the steps that kill them. */
@NullMarked
package dev.standpipe.conformance.store.process;

import org.jspecify.annotations.NullMarked;

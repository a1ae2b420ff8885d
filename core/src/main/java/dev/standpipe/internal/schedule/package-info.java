/** What the engine and the store share about schedules: when they fire, and what is stored. */
@NullMarked
package dev.standpipe.internal.schedule;

import org.jspecify.annotations.NullMarked;

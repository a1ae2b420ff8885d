/**
 * What Standpipe throws: one root, {@link dev.standpipe.error.StandpipeException}, with an {@link
 * dev.standpipe.error.ErrorCode} for programs and a message that says what to do for people.
 */
@NullMarked
package dev.standpipe.error;

import org.jspecify.annotations.NullMarked;

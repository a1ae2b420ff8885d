/** {@code standpipe schedules}. */
@NullMarked
package dev.standpipe.cli.schedules;

import org.jspecify.annotations.NullMarked;

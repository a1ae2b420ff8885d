/** The {@code standpipe} command. */
@NullMarked
package dev.standpipe.cli;

import org.jspecify.annotations.NullMarked;

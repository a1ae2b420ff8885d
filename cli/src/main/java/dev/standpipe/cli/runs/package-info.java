/** {@code standpipe runs}: lists runs and does things to many of them. */
@NullMarked
package dev.standpipe.cli.runs;

import org.jspecify.annotations.NullMarked;

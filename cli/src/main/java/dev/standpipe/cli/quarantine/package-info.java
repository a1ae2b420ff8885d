/** {@code standpipe quarantine}: what to do about steps that kept killing their process. */
@NullMarked
package dev.standpipe.cli.quarantine;

import org.jspecify.annotations.NullMarked;

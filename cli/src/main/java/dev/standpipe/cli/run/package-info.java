/** {@code standpipe run}: looks at runs and does things to them. */
@NullMarked
package dev.standpipe.cli.run;

import org.jspecify.annotations.NullMarked;

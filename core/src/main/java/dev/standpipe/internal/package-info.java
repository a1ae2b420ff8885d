/** What is not API: nothing below this package is exported. */
@NullMarked
package dev.standpipe.internal;

import org.jspecify.annotations.NullMarked;

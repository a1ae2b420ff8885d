/**
 * What is not API: nothing below this package is exported. Here is the little that the API and the
 * engine share behind the user's back.
 */
@NullMarked
package dev.standpipe.internal;

import org.jspecify.annotations.NullMarked;

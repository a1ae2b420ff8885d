/**
 * Not API: no package from here down is exported. This package has the few classes that the API and
 * the engine share and users do not see.
 */
@NullMarked
package dev.standpipe.internal;

import org.jspecify.annotations.NullMarked;

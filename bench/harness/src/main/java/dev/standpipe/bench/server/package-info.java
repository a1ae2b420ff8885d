/** The database under the contenders, and what it says it did. */
@NullMarked
package dev.standpipe.bench.server;

import org.jspecify.annotations.NullMarked;

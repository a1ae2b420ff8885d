/**
 * The benchmark: Standpipe beside its peers and beside a bare SQL loop, on the same database, each
 * in a JVM of its own.
 */
@NullMarked
package dev.standpipe.bench;

import org.jspecify.annotations.NullMarked;

/** DBOS Transact for Java as a contender. */
@NullMarked
package dev.standpipe.bench.dbos;

import org.jspecify.annotations.NullMarked;

/** The workloads, and the rounds in which the contenders do them. */
@NullMarked
package dev.standpipe.bench.contest;

import org.jspecify.annotations.NullMarked;

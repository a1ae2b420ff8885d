/**
 * What a contender of the benchmark does, and the child process in which it is measured.
 *
 * <p>Every contender runs in a JVM of its own. The orchestrator writes {@link
 * dev.standpipe.bench.contract.Order orders} to its standard input and reads lines that begin with
 * {@code bench>} from its standard output; {@link dev.standpipe.bench.contract.Child} says which.
 * What is timed, and how, is written once, in the {@link dev.standpipe.bench.contract.Trial
 * trials}, so that all are measured alike.
 */
@NullMarked
package dev.standpipe.bench.contract;

import org.jspecify.annotations.NullMarked;

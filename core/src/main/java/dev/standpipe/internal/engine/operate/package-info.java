/**
 * What operators do to runs: cancel, pause, revive, fork, signal, release, one by one or by filter.
 * Each action is one transaction with its row in {@code audit}; if the engine writes to the same
 * run at that moment, one of the two transactions is first and the other sees it.
 */
@NullMarked
package dev.standpipe.internal.engine.operate;

import org.jspecify.annotations.NullMarked;

/**
 * What operators do to runs: cancel, pause, revive, fork, signal, release, one by one or by filter.
 * Each action is one transaction with its row in {@code audit}; whatever the engine does to the
 * same run at that moment, one of the two is first and the other sees it.
 */
@NullMarked
package dev.standpipe.internal.engine.operate;

import org.jspecify.annotations.NullMarked;

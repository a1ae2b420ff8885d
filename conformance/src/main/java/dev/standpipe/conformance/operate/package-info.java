/**
 * What operators do to runs, through the API: cancel, pause, revive, fork, repeat, examine, and
 * deploy new code.
 */
@NullMarked
package dev.standpipe.conformance.operate;

import org.jspecify.annotations.NullMarked;

/**
 * What people do to runs: {@link dev.standpipe.operate.Operator} to one, {@link
 * dev.standpipe.operate.Bulk} to all that a filter lets through, {@link
 * dev.standpipe.operate.Quarantine} to steps that kept killing their process. Every action is kept
 * with who did it and why.
 */
@NullMarked
package dev.standpipe.operate;

import org.jspecify.annotations.NullMarked;

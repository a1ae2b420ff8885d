/** What was measured, and how it is written down. */
@NullMarked
package dev.standpipe.bench.report;

import org.jspecify.annotations.NullMarked;

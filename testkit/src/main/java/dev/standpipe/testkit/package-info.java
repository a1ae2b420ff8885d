/** Real databases and child processes for tests of pipelines, ours and users'. */
@NullMarked
package dev.standpipe.testkit;

import org.jspecify.annotations.NullMarked;

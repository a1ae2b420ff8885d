/** {@code standpipe pipeline}: pauses pipelines and resumes them. */
@NullMarked
package dev.standpipe.cli.pipeline;

import org.jspecify.annotations.NullMarked;

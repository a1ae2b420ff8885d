/**
 * Databases as commands use them: the user's, or one of the command's own that leaves nothing
 * behind.
 */
@NullMarked
package dev.standpipe.cli.database;

import org.jspecify.annotations.NullMarked;

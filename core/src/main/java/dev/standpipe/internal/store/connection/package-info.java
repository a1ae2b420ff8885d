/**
 * Connections of the user's pool in the engine's hands. Whatever is set on one is set for a
 * transaction only, or put back before the connection is returned; an {@link
 * dev.standpipe.internal.store.connection.EngineLink} says how. Kept connections go back to their
 * pool within a minute.
 */
@NullMarked
package dev.standpipe.internal.store.connection;

import org.jspecify.annotations.NullMarked;

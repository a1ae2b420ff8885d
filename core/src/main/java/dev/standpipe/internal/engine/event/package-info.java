/**
 * What a process says about its work: to the log, and to listeners. {@link
 * dev.standpipe.internal.engine.event.Events} is called on engine threads, so it only hands events
 * on; each listener hears them on a thread of its own.
 */
@NullMarked
package dev.standpipe.internal.engine.event;

import org.jspecify.annotations.NullMarked;

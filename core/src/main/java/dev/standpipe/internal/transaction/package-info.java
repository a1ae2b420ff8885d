/**
 * The transactions that transactional steps write and are settled in: what the engine asks for, and
 * which one a thread is in. The store opens them.
 */
@NullMarked
package dev.standpipe.internal.transaction;

import org.jspecify.annotations.NullMarked;

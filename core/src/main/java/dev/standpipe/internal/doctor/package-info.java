/**
 * Examines a live database, reading only: the invariants I1 to I5, I7, I8 and I10 as far as rows
 * can show them, and what hurts a healthy one. Everything is seen in one snapshot, so that work
 * under way is never mistaken for work half done.
 *
 * <p>I6 (outbox) and I9 (transactional steps) have no rows yet.
 */
@NullMarked
package dev.standpipe.internal.doctor;

import org.jspecify.annotations.NullMarked;

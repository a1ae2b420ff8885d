/**
 * {@code standpipe drill}: a fault, staged on the user's own database in tables of its own, told as
 * it happens, and judged by the invariants.
 *
 * <p>A drill is staged with real parts: worker JVMs that are killed and frozen, a server that is
 * killed and restarted, a line to the database that is cut or loses a reply ({@link
 * dev.standpipe.cli.drill.Line}). Afterwards the rows are counted from outside and the doctor looks
 * for violations.
 */
@NullMarked
package dev.standpipe.cli.drill;

import org.jspecify.annotations.NullMarked;

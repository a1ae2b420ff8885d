/**
 * Child JVMs under supervision, for programs that want more than threads: a body that takes its JVM
 * down takes down one of several, and its work goes on in the others within a second.
 *
 * <p><b>Authority.</b> A supervisor reaps a lease only after the JVM that held it has ended, which
 * its operating system told it, or which it has killed. Which leases those are it knows from the
 * child's roster, a file to which the child adds each of its process ids before it can hold
 * anything under it. So the rule of the reaper, that nobody's work is taken while he may still
 * work, holds without waiting for the lease to run out (I4). Whatever the dead JVM's last
 * statements still do in the database is fenced by its tokens as ever (I3).
 *
 * <p><b>A child that lives</b> and whose newest process is unknown to the database, or has let its
 * lease run out, is stale: hung, frozen or cut off. It gets some time to come back by itself, then
 * SIGKILL. While the supervisor cannot reach the database itself it judges nobody.
 *
 * <p><b>A child that dies</b> is replaced: at once if it has lived for a while, after a pause that
 * doubles if it died young. A supervisor that dies takes its children with it, in good order.
 */
@NullMarked
package dev.standpipe.supervisor;

import org.jspecify.annotations.NullMarked;

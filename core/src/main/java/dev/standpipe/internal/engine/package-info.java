/**
 * A process at work: one class per part, each a single pass without a thread of its own. A {@link
 * dev.standpipe.internal.engine.loop.Duty} has the pacing of one, a {@link
 * dev.standpipe.internal.engine.loop.EngineLoop} the thread of one or several. {@link
 * dev.standpipe.internal.engine.maintain.Maintenance} has the parts that are not on a step's way;
 * {@link dev.standpipe.internal.engine.maintain.Poller} asks the database once for all of them
 * whether there is something to do.
 *
 * <p><b>Authority.</b> A process may settle a task only while the task carries the token it was
 * claimed with and the process as its owner (I2, I3). The database decides that, in the statement
 * that writes; nothing in memory does. Tokens rise at every claim and every hand-over, so one token
 * never covers two steps.
 *
 * <p><b>Lease.</b> One row per process, renewed by {@link
 * dev.standpipe.internal.engine.lease.Heartbeat}. The process trusts its lease for less time than
 * the database grants it, counted on the monotonic clock from before the renewal was sent. Past
 * that, {@link dev.standpipe.internal.engine.lease.LeaseWatchdog} interrupts all bodies and the
 * process claims nothing, so that it has stopped by the time other processes may take its work
 * (I4). A process whose row is gone was reaped: it comes back under a fresh id, never under the
 * old.
 *
 * <p><b>A step's way.</b> {@link dev.standpipe.internal.engine.claim.Claimer} leases tasks, {@link
 * dev.standpipe.internal.engine.claim.BodyDispatcher} fetches their inputs; {@link
 * dev.standpipe.internal.engine.execute.BodyPool} runs bodies, as many at once as configured;
 * {@link dev.standpipe.internal.engine.commit.Committer} settles finished tries in batches that
 * grow under load, and hands the next steps that the process keeps straight back to the pool, once
 * their predecessor's commit has returned. {@link dev.standpipe.internal.engine.claim.InFlight} has
 * the tries that the process holds at any moment.
 *
 * <p><b>Crashes.</b> A task that two processes have died with is a suspect, which the claimer never
 * sees: {@link dev.standpipe.internal.engine.claim.SuspectClaimer} takes suspects in groups, which
 * a death halves, and runs the try that would be the last alone. The process that reaps the one
 * that dies with it quarantines it; see {@code docs/decisions/023}.
 *
 * <p><b>Cancels.</b> A run that is canceled is marked in the database and refuses every settlement
 * from then on. {@link dev.standpipe.internal.engine.maintain.Canceler} looks for such marks while
 * its process holds anything, and interrupts the bodies. The first process that looks when the
 * bodies have ended, or when their grace is over and their tasks are taken from them, ends the run;
 * tokens refuse late writes.
 *
 * <p><b>Pauses.</b> A paused run refuses a settlement as a stopped run does, and accepts it when it
 * is sent again with its next steps parked. If a task of a paused run becomes ready in another way,
 * the process that claims it sees the pause and gives the task back, which parks it, too. No
 * process claims from a paused lane; {@link dev.standpipe.internal.engine.maintain.PauseWatcher}
 * learns which lanes are paused, and gives back tasks that were taken before; see {@code
 * docs/decisions/012}.
 *
 * <p><b>Waiting.</b> An await and a call hold nothing while they wait: their task is scheduled, and
 * a row in {@code signal} says which it is. {@link dev.standpipe.internal.engine.execute.AwaitStep}
 * and {@link dev.standpipe.internal.engine.execute.CallStep} look for the signal, or for the called
 * run's end, whenever such a task is taken up; see {@code docs/decisions/013}.
 *
 * <p><b>Ends.</b> A run that something follows is marked when it ends. {@link
 * dev.standpipe.internal.engine.maintain.RunEndDispatcher} takes marks off and starts, in the same
 * transaction, what {@link dev.standpipe.internal.engine.maintain.EndCallbackRuns} has made ready:
 * exactly once for each end (I10).
 *
 * <p><b>User code.</b> The user's code may throw anything, block or interrupt threads, so it never
 * runs on the thread of a part. {@link dev.standpipe.internal.engine.execute.BodyRunner} calls it
 * on the threads for bodies, within the step's time-out: bodies, codecs, iterators, predicates, and
 * the exceptions themselves, of which only plain data is kept ({@link
 * dev.standpipe.internal.engine.execute.AttemptFailure}). Listeners have threads of their own
 * ({@link dev.standpipe.internal.engine.event.ListenerQueue}). {@code UserCodeTest} lists all
 * places.
 *
 * <p><b>Failure of the database.</b> Parts throw, their loops back off and try again. A batch whose
 * commit got no answer is looked up by its own (step, token) before it is sent again; tasks that
 * the database holds for this process and the process does not know of are given back.
 *
 * <p>{@code docs/models/Lease.tla} is this protocol, with crashes, freezes and lost replies at any
 * moment; TLC checks it in every build, and rejects twins that leave a rule out.
 */
@NullMarked
package dev.standpipe.internal.engine;

import org.jspecify.annotations.NullMarked;

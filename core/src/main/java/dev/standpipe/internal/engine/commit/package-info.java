/**
 * From outcomes to committed rows (I2, I3, I5).
 *
 * <p>{@link dev.standpipe.internal.engine.commit.CommitQueues} has what has finished, {@link
 * dev.standpipe.internal.engine.commit.Committer} settles it in batches that grow under load.
 * {@link dev.standpipe.internal.engine.commit.SettlementPlanner} works out what each outcome
 * writes. {@link dev.standpipe.internal.engine.commit.CommitReplyHandler} does what follows in this
 * process, for accepted settlements only.
 *
 * <p><b>On failure.</b> A batch is never dropped. After a lost reply each settlement is looked up
 * by its own (step, token) before it is sent again; a batch that the database refuses is halved
 * until the one that spoils it is alone, and that one fails.
 */
@NullMarked
package dev.standpipe.internal.engine.commit;

import org.jspecify.annotations.NullMarked;

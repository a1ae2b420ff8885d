package dev.standpipe.operate;

import dev.standpipe.Approval;
import dev.standpipe.Lane;
import dev.standpipe.Node;
import dev.standpipe.RunStatus;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.error.NotPausedException;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.error.SignalRefusedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownLaneException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.error.UnknownSignalException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.RunLinks;
import dev.standpipe.outbox.Outbox;
import dev.standpipe.schedule.Schedules;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * What a person, or a program on their behalf, does to runs. Who did it and why is kept in the
 * table {@code audit}, in the same transaction. Thread-safe.
 */
public interface Operator {
  /** How long bodies have to end after they were interrupted, unless told otherwise. */
  Duration CANCEL_GRACE = Duration.ofSeconds(10);

  /** The outbox, to see and to change. */
  Outbox outbox();

  /** The schedules, to see and to change. */
  Schedules schedules();

  /** {@link #cancel(UUID, String, Duration) Cancels} a run with a grace of ten seconds. */
  default RunStatus cancel(UUID run, String reason) {
    return cancel(run, reason, CANCEL_GRACE);
  }

  /**
   * Stops a run. When this returns, nothing new of it starts, whatever happens to any process. Its
   * bodies are interrupted, in other processes within their poll interval; what they return within
   * the grace is recorded, and nothing follows from it. A body that has not ended by then is cut
   * off: the run ends without it, and nothing it writes is taken any more. Its process still waits
   * for it to return.
   *
   * <p>A second cancel changes nothing, also if another operator makes it.
   *
   * @param reason why, for the audit
   * @param grace how long bodies have to end, by the database's clock; zero to a day
   * @return {@link RunStatus#CANCELED}, or {@link RunStatus#CANCELING} while bodies run
   * @throws RunEndedException if the run has ended otherwise
   * @throws UnknownRunException if there is no such run
   */
  RunStatus cancel(UUID run, String reason, Duration grace);

  /** {@link #revive(UUID, String, Revive) Revives} a run with all that has failed. */
  default void revive(UUID run, String reason) {
    revive(run, reason, Revive.all());
  }

  /**
   * Brings a run back that has ended halted, failed or canceled, in place: steps that failed, were
   * quarantined, cut off or never begun are tried as if for the first time, with fresh budgets of
   * attempts and crashes. What has finished is not done again, and idempotency keys stay what they
   * were. When this returns, the run is running, or has succeeded if nothing was left to do.
   *
   * @param reason why, for the audit
   * @throws NotRevivableException if the run is running, has succeeded, or has other failures than
   *     the options name
   * @throws RunHaltingException if steps of the run are still running; try again later
   * @throws UnknownRunException if there is no such run
   */
  void revive(UUID run, String reason, Revive options);

  /** {@link #approve(UUID, String, int, String) Approves} what a run asks for. */
  default boolean approve(UUID run, String key, String comment) {
    return approve(run, key, 0, comment);
  }

  /**
   * Says yes to a {@link Node#approval} of a run: its value is an {@link Approval} in this
   * operator's name. To say the same again changes nothing; of different answers the first counts.
   *
   * @param key the key of the approval
   * @param index the element of an expand it is for, otherwise 0
   * @param comment what to say about it, for the run and the audit
   * @return {@code false} if that was said already
   * @throws UnknownSignalException if the run has no await of this key
   * @throws SignalRefusedException if it was answered otherwise, has expired or was skipped
   * @throws RunEndedException if the run has ended
   * @throws UnknownRunException if there is no such run
   */
  boolean approve(UUID run, String key, int index, String comment);

  /** {@link #reject(UUID, String, int, String) Rejects} what a run asks for. */
  default boolean reject(UUID run, String key, String comment) {
    return reject(run, key, 0, comment);
  }

  /** Says no, and otherwise like {@link #approve(UUID, String, int, String)}. */
  boolean reject(UUID run, String key, int index, String comment);

  /**
   * Starts a new run on the input of another, whatever has become of that one, with its priority
   * and labels, by the pipeline's newest definition. Each of the two names the other: {@link
   * RunInfo#rerunOf()}, {@link RunInfo#reruns()}. The original's key stays its own, so a second
   * call starts a second run. When this returns, the run is committed and will reach its end.
   *
   * @param reason why, for the audit, which has it under the original
   * @return the id of the new run
   * @throws UnknownRunException if there is no such run
   */
  UUID rerun(UUID run, String reason);

  /**
   * Holds a run up. Its ready steps wait, bodies that run may finish, and what follows from them
   * waits as well, until the run is resumed; a pause outlives every process. Steps that another
   * process has taken before and not begun are given back within its poll interval; until then it
   * may begin them, and what follows a step whose commit was under way. If a running body is the
   * last step, the run succeeds; if it fails for good, the run halts. Signals are taken, retries
   * and delays come due, and their steps wait. A deadline passes as ever. Runs it has called go on.
   *
   * @param reason why, for the audit
   * @return {@code false} if the run was paused already; nothing was changed then
   * @throws RunEndedException if the run has ended or is about to: it is halting, canceling or
   *     finishing
   * @throws UnknownRunException if there is no such run
   */
  boolean pause(UUID run, String reason);

  /**
   * Lets a paused run go on: all of it that waited may be taken when this returns. If its pipeline
   * is paused as well, it goes on when that is resumed.
   *
   * @param reason why, for the audit
   * @throws NotPausedException if the run is not paused
   * @throws UnknownRunException if there is no such run
   */
  void resume(UUID run, String reason);

  /**
   * Holds all runs of a pipeline up, whatever their definition: nothing of them is taken any more,
   * here at once and in other processes within their poll interval. Bodies that run may finish;
   * what follows from them waits. Runs may be started, and wait. A pause outlives every process,
   * and is in the table {@code pause} with who made it and why.
   *
   * @return {@code false} if the pipeline was paused already; nothing was changed then
   * @throws UnknownPipelineException if no process has ever served the pipeline
   */
  boolean pause(String pipeline, String reason);

  /**
   * Ends the pause of a pipeline. Runs and lanes that were paused by themselves stay so.
   *
   * @throws NotPausedException if the pipeline is not paused as a whole
   * @throws UnknownPipelineException if no process has ever served the pipeline
   */
  void resume(String pipeline, String reason);

  /**
   * Holds up the runs of one definition of a pipeline, and otherwise like {@link #pause(String,
   * String)}.
   *
   * @param lane the pipeline and the hash of the definition, or enough of its beginning
   * @return {@code false} if that very lane was paused already; nothing was changed then
   * @throws UnknownLaneException if the pipeline has no such definition
   * @throws UnknownPipelineException if no process has ever served the pipeline
   */
  boolean pause(Lane lane, String reason);

  /**
   * Ends the pause of a lane.
   *
   * @throws NotPausedException if that very lane is not paused
   * @throws UnknownLaneException if the pipeline has no such definition
   * @throws UnknownPipelineException if no process has ever served the pipeline
   */
  void resume(Lane lane, String reason);

  /**
   * The pipelines and lanes that are paused. Runs that are have the status {@link
   * RunStatus#PAUSED}.
   */
  List<Pause> pauses();

  /**
   * What can be done to many runs at once.
   *
   * @throws StandpipeException with {@code INVALID_ARGUMENT} if the filter lets every run through
   *     and does not say so
   */
  Bulk bulk(RunFilter filter);

  /** The newest runs that a filter lets through, newest first; 1,000 at most. */
  List<RunInfo> list(RunFilter filter, int limit);

  /** {@link #fork(UUID, String, String, Fork) Forks} a run with nothing edited. */
  default UUID fork(UUID run, String node, String reason) {
    return fork(run, node, reason, Fork.unchanged());
  }

  /**
   * Starts a new run that goes another's way up to a node and from there on its own: it takes over
   * what the original has finished, but for the node and all that depends on it, and does the rest.
   * The original may be running, halted, failed, canceled or succeeded, and stays as it is.
   *
   * <p>The new run has the original's definition, priority and labels, and no key. Its steps have
   * idempotency keys of their own. An edited value takes the place of the original's in the new
   * run: what was taken over stays as it was made, whatever is done in the new run reads the edited
   * value. Each of the two names the other: {@link RunLinks#forkOf()}, {@link RunLinks#forks()}.
   * When this returns, the run is committed and will reach its end.
   *
   * @param node the key of the node to start from
   * @param reason why, for the audit, which has it under the original
   * @return the id of the new run
   * @throws NotForkableException if there is no such node, what it needs has not finished in the
   *     original, or it does not get the values that are edited
   * @throws InvalidValueException if an edited value cannot be written
   * @throws UnknownRunException if there is no such run
   */
  UUID fork(UUID run, String node, String reason, Fork options);
}

package dev.standpipe.internal.port;

import dev.standpipe.info.StepId;
import dev.standpipe.operate.QuarantinedStep;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code quarantine} table, and how a halted run is brought back. */
public interface Quarantines {
  /**
   * Who did something, and why.
   *
   * @param by who
   * @param reason why
   */
  record Audited(String by, String reason) {}

  /**
   * A step of a run that has succeeded or was skipped.
   *
   * @param node the key of its node
   * @param index its index; below zero for all elements of an expand that was skipped
   * @param elements how many elements it yielded, if it is an expand
   * @param skipped whether it was skipped
   * @param arm its value, if it is short enough to be that of a divert
   */
  record FinishedStep(
      String node, int index, int elements, boolean skipped, @Nullable String arm) {}

  /**
   * An expand that has yielded elements, and has not ended.
   *
   * @param node the key of its node
   * @param elements how many it has yielded
   */
  record Unfinished(String node, int elements) {}

  /**
   * All that a halted run needs to go on: whatever it may start, and how far its fan-ins are.
   *
   * @param run the run
   * @param tasks the steps that start
   * @param arrivals the counters of what waits for several arrivals
   */
  record Resume(UUID run, List<ResumedStep> tasks, List<OpenCounter> arrivals) {}

  /**
   * A step that starts again.
   *
   * @param node the key of its node
   * @param task the id of its task
   * @param index its index
   */
  record ResumedStep(String node, long task, int index) {}

  /**
   * How far a fan-in, or the end of the run, has come.
   *
   * @param node the key of its node, or {@link Settlement.Bump#END}
   * @param need how many arrivals it waits for before any has come
   * @param remaining how many it still waits for
   */
  record OpenCounter(String node, int need, int remaining) {}

  /**
   * How a run is brought back.
   *
   * @param times how often it had been before this was worked out
   * @param retryLimit how often the steps that start may be retried, if not as their code says
   * @param audited who does it, and why
   */
  record Revival(int times, OptionalInt retryLimit, Audited audited) {}

  /**
   * The fencing tokens of steps that a release, a revive or a fork has started are above this. Each
   * turn of a loop takes a token, so there may be many millions before.
   */
  long REVIVED = 1_000_000_000_000L;

  /** The steps in quarantine, the longest first. */
  List<QuarantinedStep> list(int limit);

  /** One of them. */
  Optional<QuarantinedStep> find(StepId step);

  /** The steps of a run that have succeeded or were skipped, whatever their number. */
  List<FinishedStep> finished(UUID run);

  /** The expands of a run that were stopped between their first element and their last. */
  List<Unfinished> unfinished(UUID run);

  /**
   * How a step is taken out of quarantine.
   *
   * @param times how often its run had been brought back before this was worked out
   * @param audited who does it, and why
   */
  record Release(int times, Audited audited) {}

  /**
   * Takes a step out of quarantine and brings its run back, with fresh budgets for all that starts.
   * What starts must have been worked out when the run had ended: nothing of it changes from then
   * on until it is brought back.
   *
   * @throws dev.standpipe.error.NotQuarantinedException if it is not in quarantine with that token
   * @throws dev.standpipe.error.RunHaltingException if the run has not ended
   */
  void release(QuarantinedStep step, Resume resume, Release release);

  /**
   * Brings a run back that has ended halted, failed or canceled, with fresh budgets for all that
   * starts; it has succeeded if nothing does.
   *
   * @return {@code false}, with nothing written, if it has been since, or has not ended so
   */
  boolean revive(Resume resume, Revival revival);

  /** How often a run has been brought back, by a release or a revive. */
  int revived(UUID run);

  /**
   * Takes a step out of quarantine as failed.
   *
   * @throws dev.standpipe.error.NotQuarantinedException if it is not in quarantine with that token
   */
  void discard(QuarantinedStep step, Audited audited);
}

package dev.standpipe.info;

import dev.standpipe.definition.EndCallback;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * How a run hangs together with others.
 *
 * @param upstreams the runs it waits, or has waited, for
 * @param downstreams the runs that wait, or have waited, for it
 * @param endCallbacks the runs that were started because it has ended, oldest end first
 * @param endCallbackOf the run because of whose end it was started
 * @param calls the runs its steps have called, in the order of node, index and call
 * @param calledBy the step that has called it
 * @param forkOf the run it was forked from, and at which node
 * @param forks the runs that were forked from it, oldest first
 */
public record RunLinks(
    List<UUID> upstreams,
    List<UUID> downstreams,
    List<EndCallbackRun> endCallbacks,
    Optional<EndCallbackRun> endCallbackOf,
    List<UUID> calls,
    Optional<StepId> calledBy,
    Optional<ForkPoint> forkOf,
    List<UUID> forks) {
  /** None. */
  public static final RunLinks NONE =
      new RunLinks(
          List.of(),
          List.of(),
          List.of(),
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  /** Copies the lists. */
  public RunLinks {
    upstreams = List.copyOf(upstreams);
    downstreams = List.copyOf(downstreams);
    endCallbacks = List.copyOf(endCallbacks);
    calls = List.copyOf(calls);
    forks = List.copyOf(forks);
  }

  /**
   * A callback or a compensation.
   *
   * @param endCallback which
   * @param run the run at the other end
   */
  public record EndCallbackRun(EndCallback endCallback, UUID run) {}
}

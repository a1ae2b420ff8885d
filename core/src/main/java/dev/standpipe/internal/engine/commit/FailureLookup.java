package dev.standpipe.internal.engine.commit;

import dev.standpipe.HaltReason;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.Done;
import dev.standpipe.internal.coordinate.End;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.ResultKey;
import java.util.List;

/**
 * The questions to the database that the planner needs answered before it knows what follows from
 * an end: only in pipelines that outlive failures, and there only after a failure, or in revived
 * runs.
 */
class FailureLookup {
  /** In a run without a failure so far, never brought back. */
  static final FailureLookup NONE = new FailureLookup();

  /** Whether the run goes on after this step has failed for this reason. */
  boolean isTolerated(Attempt attempt, HaltReason reason) {
    Graph graph = attempt.pipeline.graph();
    if (!graph.isLenient() || (attempt.vertex.kind() == NodeKind.EXPAND && hasYielded(attempt))) {
      return false;
    }
    if (graph.ignoredFailures().isEmpty()) {
      return reason != HaltReason.UNMATCHED_DIVERT
          && End.of(graph, List.of(attempt.vertex)) != End.HALTED;
    }
    return attempt.vertex.strategy() == Strategy.IGNORE || isSheltering(attempt);
  }

  /**
   * Whether elements of an expand are in: what becomes of those is under way, and cannot be lost or
   * brought together any more.
   */
  boolean hasYielded(Attempt expand) {
    return false;
  }

  /** Whether a failure before this one goes on to keep a part of the run from the halt. */
  boolean isSheltering(Attempt attempt) {
    return false;
  }

  /** What has its outcome though it depends on this step, which is run again. */
  Done done(Attempt attempt) {
    return Done.NOTHING;
  }

  /** As the database says. */
  static FailureLookup of(Tasks tasks) {
    return new FailureLookup() {
      @Override
      boolean isSheltering(Attempt attempt) {
        return !tasks.tolerated(List.of(attempt.run)).isEmpty();
      }

      @Override
      boolean hasYielded(Attempt expand) {
        int first = expand.vertex.firstElement(expand.index);
        return tasks.ended(new ResultKey(expand.run, expand.vertex.key(), first));
      }

      @Override
      Done done(Attempt attempt) {
        return attempt.ref.isRevived() && attempt.pipeline.graph().isLenient()
            ? (vertex, index) -> tasks.ended(new ResultKey(attempt.run, vertex.key(), index))
            : Done.NOTHING;
      }
    };
  }
}

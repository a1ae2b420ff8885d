package dev.standpipe.internal.engine;

import dev.standpipe.HaltReason;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.Done;
import dev.standpipe.internal.coordinate.End;
import dev.standpipe.spi.Quarantines;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.ResultKey;
import java.util.List;

/**
 * What the database must be asked before it is known what follows from an end: only in pipelines
 * that outlive failures, and there only after a failure, or in runs that were brought back.
 */
class Failures {
  /** In a run without a failure so far, never brought back. */
  static final Failures NONE = new Failures();

  /** Whether the run goes on after this step has failed for this reason. */
  boolean isOutlived(Work work, HaltReason reason) {
    Graph graph = work.pipeline.graph();
    if (!graph.isLenient()) {
      return false;
    }
    if (graph.shelters().isEmpty()) {
      return reason != HaltReason.UNMATCHED_DIVERT
          && End.of(graph, List.of(work.vertex)) != End.HALTED;
    }
    return work.vertex.strategy() == Strategy.IGNORE || isSheltering(work);
  }

  /** Whether a failure before this one goes on to keep a part of the run from the halt. */
  boolean isSheltering(Work work) {
    return false;
  }

  /** What has its outcome though it depends on this step, which is run again. */
  Done done(Work work) {
    return Done.NOTHING;
  }

  /** As the database says. */
  static Failures of(Tasks tasks) {
    return new Failures() {
      @Override
      boolean isSheltering(Work work) {
        return !tasks.outlived(List.of(work.run)).isEmpty();
      }

      @Override
      Done done(Work work) {
        return work.token > Quarantines.REVIVED && work.pipeline.graph().isLenient()
            ? (vertex, index) -> tasks.ended(new ResultKey(work.run, vertex.key(), index))
            : Done.NOTHING;
      }
    };
  }
}

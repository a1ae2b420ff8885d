package dev.standpipe.internal.engine.operate;

import dev.standpipe.Lane;
import dev.standpipe.RunStatus;
import dev.standpipe.error.NotPausedException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.UnknownLaneException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Pause;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pauses and resumes. */
final class PauseOperations {
  private static final int SHOWN = 12;

  private final Store store;
  private final @Nullable Engine engine;
  private final Runnable announce;

  PauseOperations(RunOperations.OperationDeps deps) {
    this.store = deps.store();
    this.engine = deps.engine();
    this.announce = deps.announce();
  }

  /** A run that is neither paused nor stopped after all was resumed or revived meanwhile. */
  boolean pause(UUID run, Audited audited) {
    boolean changed = store.pauses().pause(run, audited);
    while (!changed && isPausable(run)) {
      changed = store.pauses().pause(run, audited);
    }
    heed();
    return changed;
  }

  private boolean isPausable(UUID run) {
    RunStatus status = status(run);
    return switch (status) {
      case WAITING, RUNNING -> true;
      case PAUSED -> false;
      case HALTING,
          FINISHING,
          SUCCEEDED,
          HALTED,
          FAILED,
          CANCELING,
          CANCELED,
          SKIPPED,
          COMPENSATING,
          COMPENSATED,
          COMPENSATION_FAILED ->
          throw RunEndedException.cannotBePaused(run, status);
    };
  }

  void resume(UUID run, Audited audited) {
    if (!store.pauses().resume(run, audited)) {
      throw NotPausedException.run(run, status(run));
    }
    announce.run();
  }

  private RunStatus status(UUID run) {
    return store.runQueries().find(run).orElseThrow(() -> new UnknownRunException(run)).status();
  }

  boolean pause(String pipeline, Audited audited) {
    definitions(pipeline);
    boolean changed = store.pauses().pause(pipeline, audited);
    heed();
    return changed;
  }

  boolean pause(Lane lane, Audited audited) {
    boolean changed = store.pauses().pause(lane.pipeline(), number(lane), audited);
    heed();
    return changed;
  }

  void resume(String pipeline, Audited audited) {
    definitions(pipeline);
    if (!store.pauses().resume(pipeline, audited)) {
      throw NotPausedException.pipeline(pipeline);
    }
    heed();
  }

  void resume(Lane lane, Audited audited) {
    if (!store.pauses().resume(lane.pipeline(), number(lane), audited)) {
      throw NotPausedException.lane(lane);
    }
    heed();
  }

  List<Pause> list() {
    return store.pauses().list();
  }

  /** This process need not wait until it looks, and others look at once if they are told. */
  private void heed() {
    if (engine != null) {
      engine.heedPauses();
    }
    announce.run();
  }

  private List<Registered> definitions(String pipeline) {
    List<Registered> all = store.definitions().all(pipeline);
    if (all.isEmpty()) {
      throw new UnknownPipelineException(pipeline);
    }
    return all;
  }

  private int number(Lane lane) {
    List<Registered> all = definitions(lane.pipeline());
    List<Registered> such =
        all.stream().filter(one -> one.graph().hash().startsWith(lane.definition())).toList();
    if (such.size() != 1) {
      throw new UnknownLaneException(
          lane, all.stream().map(one -> one.graph().hash().substring(0, SHOWN)).toList());
    }
    return such.get(0).lane();
  }
}

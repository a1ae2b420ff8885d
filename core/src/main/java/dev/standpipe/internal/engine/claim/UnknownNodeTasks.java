package dev.standpipe.internal.engine.claim;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Claimed tasks of nodes that their graph does not have, as a person makes who edits the tables. No
 * process can ever run them, so they fail, and their runs halt. Not thread-safe.
 */
final class UnknownNodeTasks {
  private final Map<UUID, List<Settlement>> byOwner = new LinkedHashMap<>();

  /** Keeps the task if it is one. */
  boolean take(UUID owner, Pipeline<?, ?> pipeline, Claimed task) {
    if (pipeline.step(task.node()).isPresent()) {
      return false;
    }
    byOwner.computeIfAbsent(owner, id -> new ArrayList<>()).add(failed(pipeline, task));
    return true;
  }

  /** Settles those kept. Should that fail, the database still holds them for this process. */
  void settle(Tasks tasks, ProcessState processState) {
    if (!byOwner.isEmpty()) {
      Map<UUID, List<Settlement>> all = new LinkedHashMap<>(byOwner);
      byOwner.clear();
      try {
        processState
            .inFlight()
            .moving(
                () -> {
                  all.forEach(tasks::settle);
                  return all.size();
                });
      } catch (StoreException e) {
        processState.doubt();
        throw e;
      }
    }
  }

  private static Settlement failed(Pipeline<?, ?> pipeline, Claimed task) {
    InvalidValueException error =
        new InvalidValueException(
            "The pipeline \"" + pipeline.name() + "\" has no node \"" + task.node() + "\"", null);
    return new Settlement(
        task.ref(),
        task.node(),
        task.index(),
        task.lane(),
        task.priority(),
        task.attempt(),
        0,
        new Settlement.Failed(
            AttemptOutcome.FAILED, ErrorText.of(error), HaltReason.INVALID_VALUE));
  }
}

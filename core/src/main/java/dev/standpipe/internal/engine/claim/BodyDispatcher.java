package dev.standpipe.internal.engine.claim;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.BodyPool;
import dev.standpipe.internal.engine.turn.TurnLookup;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.ResultKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the inputs of many tries with one query, and hands the tries to the bodies. A collapse
 * reads its own inputs, element by element. Thread-safe.
 */
public final class BodyDispatcher {
  private final ProcessState processState;
  private final BodyPool pool;

  public BodyDispatcher(ProcessState processState, BodyPool pool) {
    this.processState = processState;
    this.pool = pool;
  }

  /** Fetches what the tries need and hands them to the bodies. */
  public void dispatch(Tasks tasks, Collection<Attempt> attempts) {
    try {
      fetch(tasks, attempts);
    } catch (OutOfMemoryError e) { // of all inputs together, perhaps
      dispatchApart(tasks, List.copyOf(attempts), e);
      return;
    } catch (RuntimeException | Error e) {
      attempts.forEach(processState::giveBack);
      throw e;
    }
    pool.submit(attempts);
  }

  /** Dispatches one half and then the other; whose inputs do not fit alone, fails. */
  private void dispatchApart(Tasks tasks, List<Attempt> attempts, OutOfMemoryError error) {
    if (attempts.size() == 1) {
      processState.tooLarge(attempts.get(0), error);
      return;
    }
    int half = attempts.size() / 2;
    try {
      dispatch(tasks, attempts.subList(0, half));
    } finally {
      dispatch(tasks, attempts.subList(half, attempts.size()));
    }
  }

  private static void fetch(Tasks tasks, Collection<Attempt> attempts) {
    TurnLookup.find(tasks, attempts);
    List<Attempt> asking = new ArrayList<>();
    List<ResultKey> keys = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (attempt.inputs() == null && attempt.vertex.kind() != NodeKind.COLLAPSE) {
        asking.add(attempt);
        keys.addAll(attempt.inputKeys());
      }
    }
    FateLookup.find(tasks, attempts);
    List<@Nullable String> values = tasks.values(keys);
    int at = 0;
    for (Attempt attempt : asking) {
      int count = attempt.vertex.inputs().size();
      attempt.inputs(new ArrayList<>(values.subList(at, at + count)));
      at += count;
    }
  }
}

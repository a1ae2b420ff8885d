package dev.standpipe.conformance;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts together the settlement of a task that succeeded. Not thread-safe. */
final class Success {
  private final Claimed task;
  private final List<Value> results = new ArrayList<>();
  private final List<NewTasks> tasks = new ArrayList<>();
  private final List<Bump> bumps = new ArrayList<>();
  private @Nullable Next next;
  private boolean endsRun;

  private Success(Claimed task) {
    this.task = task;
  }

  /** With a value that names its step. */
  static Success of(Claimed task) {
    return of(task, valueOf(task.node(), task.index()));
  }

  static Success of(Claimed task, String value) {
    Success success = new Success(task);
    success.results.add(new Value(task.node(), task.index(), value, false));
    return success;
  }

  /** An expand that yielded this many elements. */
  static Success expand(Claimed task, int elements) {
    Success success = new Success(task);
    success.results.add(
        new Value(task.node(), Settlement.header(task.index()), "" + elements, false));
    for (int i = 0; i < elements; i++) {
      success.results.add(new Value(task.node(), i, valueOf(task.node(), i), true));
    }
    return success;
  }

  static String valueOf(String node, int index) {
    return "\"" + node + "/" + index + "\"";
  }

  Success next(String node, boolean leased) {
    next = new Next(node, task.index(), leased);
    return this;
  }

  Success starts(NewTasks more) {
    tasks.add(more);
    return this;
  }

  Success bumps(Bump bump) {
    bumps.add(bump);
    return this;
  }

  Success endsRun() {
    endsRun = true;
    return this;
  }

  Settlement settlement() {
    return StoreFixture.settlement(
        task, new Settlement.Succeeded(results, next, tasks, bumps, endsRun));
  }
}

package dev.standpipe.internal.simulation;

import dev.standpipe.error.NotPausedException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.operate.Operator;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Pauses and resumes runs and pipelines, and knows what must not begin: nothing of what is paused,
 * in any process that has looked since.
 */
final class SimPauses {
  private final Consumer<String> trace;

  /** For all that is paused for sure, by run or name of its pipeline, who may not know of it. */
  private final Map<Object, Set<SimProcess>> unaware = new HashMap<>();

  /** All that may be paused, since a pause was tried and no resume has returned. */
  private final Set<Object> perhaps = new LinkedHashSet<>();

  SimPauses(Consumer<String> trace) {
    this.trace = trace;
  }

  /** Has a process pause a run, or a pipeline by its name. */
  void pause(SimProcess process, Object what, Collection<SimProcess> all) {
    trace.accept(process.name + " pauses " + what);
    perhaps.add(what);
    try {
      if (what instanceof UUID run) {
        process.operator().pause(run, "on purpose");
      } else {
        process.operator().pause((String) what, "on purpose");
      }
      unaware.put(what, new HashSet<>(all));
      looked(process, what);
    } catch (RunEndedException e) {
      trace.accept("    " + e.getMessage());
    } catch (StoreException e) {
      trace.accept("    the pause failed: " + e.failure());
    }
  }

  /** Has a process resume a run, or a pipeline by its name. */
  void resume(SimProcess process, Object what) {
    trace.accept(process.name + " resumes " + what);
    over(what);
    Operator operator = process.operator();
    try {
      if (what instanceof UUID run) {
        operator.resume(run, "on purpose");
      } else {
        operator.resume((String) what, "on purpose");
      }
      perhaps.remove(what);
    } catch (NotPausedException e) {
      perhaps.remove(what);
      trace.accept("    " + e.getMessage());
    } catch (StoreException e) {
      trace.accept("    the resume failed: " + e.failure());
    }
  }

  /** Resumes all that may be paused. */
  void resumeAll(SimProcess process) {
    List.copyOf(perhaps).forEach(what -> resume(process, what));
  }

  /** Notes that something may be paused, or may not. */
  void perhaps(Object what) {
    perhaps.add(what);
  }

  /** A run that is brought back is not paused any more. */
  void over(Object what) {
    unaware.remove(what);
  }

  /** A process has looked what is paused. */
  void looked(SimProcess process) {
    unaware.keySet().forEach(what -> looked(process, what));
  }

  private void looked(SimProcess process, Object what) {
    unaware.get(what).remove(process);
  }

  /** Whether a process may begin a step of a run of a pipeline. */
  boolean mayBegin(SimProcess process, UUID run, String pipeline) {
    return mayBegin(process, run) && mayBegin(process, pipeline);
  }

  private boolean mayBegin(SimProcess process, Object what) {
    return !unaware.containsKey(what) || unaware.get(what).contains(process);
  }
}

package dev.standpipe.internal.engine.lease;

import static java.util.stream.Collectors.toSet;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Gives back tasks that the database holds for this process and the process does not know of: a
 * claim whose answer never came, steps that followed from a commit it could not hear of, steps it
 * settled on a primary whose last commits the next one never got. It looks after a lost reply, and
 * whenever a connection was opened: no other part notices that the server is another.
 */
public final class Reconciler implements PeriodicDuty {
  private static final long NONE_YET = -1;

  private final Tasks tasks;
  private final ProcessState processState;
  private final LongSupplier openings;
  private final Duration interval;
  private long reconciledOpenings = NONE_YET;

  /**
   * Looks at this interval whether there is a reason to compare.
   *
   * @param openings how often the connections of the process were opened so far
   */
  public Reconciler(
      Tasks tasks, ProcessState processState, LongSupplier openings, Duration interval) {
    this.tasks = tasks;
    this.processState = processState;
    this.openings = openings;
    this.interval = interval;
  }

  @Override
  public String name() {
    return "reconciler";
  }

  @Override
  public Duration perform() {
    long opened = openings.getAsLong();
    if (reconciledOpenings == NONE_YET) { // it has just joined, with these, and holds nothing
      reconciledOpenings = opened;
    }
    if (processState.resolveDoubt() || opened != reconciledOpenings) {
      try {
        processState.inFlight().still(this::giveBackUnknown);
        reconciledOpenings = opened;
      } catch (RuntimeException | Error e) {
        processState.doubt();
        throw e;
      }
    }
    return interval;
  }

  private boolean giveBackUnknown() {
    UUID owner = processState.lease().id();
    Set<TaskRef> known =
        processState.inFlight().attempts().stream().map(attempt -> attempt.ref).collect(toSet());
    List<Settlement> unknown =
        tasks.held(owner).stream()
            .filter(held -> !known.contains(held))
            .map(Settlement::release)
            .toList();
    if (!unknown.isEmpty()) {
      tasks.settle(owner, unknown);
    }
    return true;
  }
}

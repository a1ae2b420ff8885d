package dev.standpipe.internal.engine;

import static java.util.stream.Collectors.toSet;

import dev.standpipe.spi.Settlement;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.Held;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * After a lost reply, gives back what the database holds for this process and the process does not
 * know of: a claim whose answer never came, steps that followed from a commit it could not hear of.
 */
final class Reconciler {
  private final Tasks tasks;
  private final Crew crew;
  private final Duration interval;

  Reconciler(Tasks tasks, Crew crew, Duration interval) {
    this.tasks = tasks;
    this.crew = crew;
    this.interval = interval;
  }

  /** One pass; says how long to wait for the next. */
  Duration reconcile() {
    if (crew.resolveDoubt()) {
      try {
        crew.hold().still(this::giveBackUnknown);
      } catch (RuntimeException | Error e) {
        crew.doubt();
        throw e;
      }
    }
    return interval;
  }

  private boolean giveBackUnknown() {
    UUID owner = crew.membership().id();
    Set<Held> known = crew.hold().works().stream().map(Work::key).collect(toSet());
    List<Settlement> unknown =
        tasks.held(owner).stream()
            .filter(held -> !known.contains(held))
            .map(Reconciler::release)
            .toList();
    if (!unknown.isEmpty()) {
      tasks.settle(owner, unknown);
    }
    return true;
  }

  /** Giving back asserts the token alone; the row knows the rest. */
  private static Settlement release(Held held) {
    return new Settlement(
        held.run(), held.id(), held.token(), "", 0, 0, 0, 0, 0, new Settlement.Released());
  }
}

package dev.standpipe.internal.store.sharedrows;

import dev.standpipe.internal.port.TaskRef;
import java.util.Comparator;
import java.util.UUID;

/** A task in a part: one of several in one row, each the first of its run. */
final class PartRef extends TaskRef {
  /** Has the ids of parts, which are all even or all odd, differ in every bit. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final PartKey part;
  private final int place;

  /**
   * Which row it is. A transaction that locks several locks them in their order.
   *
   * @param bundle what the part was taken out of
   * @param id which part of that
   */
  record PartKey(UUID bundle, long id) {
    static final Comparator<PartKey> ORDER =
        Comparator.comparing(PartKey::bundle).thenComparingLong(PartKey::id);
  }

  /**
   * The same task in a part.
   *
   * @param place which of those in it, from 1
   */
  PartRef(TaskRef task, PartKey part, int place) {
    super(task.run(), task.id(), task.token());
    this.part = part;
    this.place = place;
  }

  PartKey part() {
    return part;
  }

  int place() {
    return place;
  }

  /** All of a part are settled together. */
  @Override
  public int affinity() {
    return part.bundle().hashCode() ^ Long.hashCode(part.id() * SPREAD);
  }

  @Override
  public boolean isSettledApart() {
    return true;
  }
}

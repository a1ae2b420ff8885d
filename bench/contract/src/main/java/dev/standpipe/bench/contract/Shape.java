package dev.standpipe.bench.contract;

import java.util.Locale;

/**
 * The runs of a workload: how their steps hang together and how large their values are. Immutable.
 *
 * @param kind how the steps hang together
 * @param size how many: steps of a chain, branches of a fan or a diamond, lanes of a graph, turns
 *     of a loop, calls of a body, bookings, events of a step
 * @param bytes how large each value is; 0 for a plain number
 */
public record Shape(Kind kind, int size, int bytes) {
  /** How the steps of a run hang together. */
  public enum Kind {
    /** One after the other. */
    CHAIN,
    /** One step whose result is taken apart at run time, a step for each part, one for all. */
    FAN,
    /** One step, some side by side, one that gets the values of all. */
    DIAMOND,
    /** Lanes of {@link #LANE_STEPS} steps side by side, and one step that gets all their ends. */
    LANES,
    /** One step that is repeated: each turn is committed. */
    LOOP,
    /** One step whose body makes calls that are committed one by one, as steps would be. */
    CALLS,
    /** Steps one after the other, each with a row of the user's in its own transaction. */
    BOOKINGS,
    /** One step that emits events, each of which a sink in the process has to take. */
    EVENTS
  }

  /** The length of a lane. */
  public static final int LANE_STEPS = 101;

  /** One step. */
  public static final Shape JOB = chain(1);

  /** Steps one after the other. */
  public static Shape chain(int steps) {
    return new Shape(Kind.CHAIN, steps, 0);
  }

  /** The same with values of this size. */
  public Shape withBytes(int size) {
    return new Shape(kind, this.size, size);
  }

  /** How many steps a run has. */
  public int steps() {
    return switch (kind) {
      case CHAIN, LOOP, CALLS, BOOKINGS, EVENTS -> size;
      case FAN, DIAMOND -> size + 2;
      case LANES -> size * LANE_STEPS + 1;
    };
  }

  /** Whether a step waits for several others. */
  public boolean joins() {
    return kind == Kind.FAN || kind == Kind.DIAMOND || kind == Kind.LANES;
  }

  /** Reads what {@link #toString} wrote. */
  public static Shape parse(String text) {
    String[] parts = text.split(":", -1);
    return new Shape(
        Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]));
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + ":" + size + ":" + bytes;
  }
}

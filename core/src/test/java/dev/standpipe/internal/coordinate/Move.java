package dev.standpipe.internal.coordinate;

/**
 * One move that wires something. Its choices are taken modulo what there is to choose from.
 *
 * @param kind what it adds
 * @param a the first choice
 * @param b the second choice
 * @param size how many inputs or elements
 */
public record Move(Kind kind, int a, int b, int size) {
  /** What a move adds. */
  public enum Kind {
    STEP,
    JOIN,
    ALL,
    AFTER,
    EXPAND,
    EACH_STEP,
    COLLAPSE,
    DIVERT,
    DELAY,
    EACH_DELAY,
    BARRIER,
    AWAIT,
    EACH_AWAIT,
    CALL,
    EACH_CALL,
    EXPAND_INSIDE,
    EACH_DIVERT;

    private Kind forEach() {
      return switch (this) {
        case STEP, JOIN, ALL, AFTER, EXPAND, COLLAPSE, BARRIER, EACH_STEP -> EACH_STEP;
        case DIVERT, EACH_DIVERT -> EACH_DIVERT;
        case DELAY, EACH_DELAY -> EACH_DELAY;
        case AWAIT, EACH_AWAIT -> EACH_AWAIT;
        case CALL, EACH_CALL -> EACH_CALL;
        case EXPAND_INSIDE -> EXPAND_INSIDE;
      };
    }
  }

  /** What can be for each element, in the place of what cannot. */
  Move forEach() {
    return new Move(kind.forEach(), a, b, size);
  }
}

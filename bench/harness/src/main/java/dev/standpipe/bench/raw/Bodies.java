package dev.standpipe.bench.raw;

import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import java.util.List;
import java.util.stream.IntStream;

/** The steps of each shape, without a graph to look them up in. Thread-safe. */
final class Bodies {
  private final Shape shape;
  private final Tally tally;

  Bodies(Shape shape, Tally tally) {
    this.shape = shape;
    this.tally = tally;
  }

  /** The first step of a run. */
  String first() {
    return switch (shape.kind()) {
      case CHAIN, BOOKINGS -> "step-0";
      case DIAMOND -> "split";
      case FAN -> "fan";
      case LANES, LOOP, CALLS, EVENTS ->
          throw new IllegalArgumentException("Not written here: " + shape);
    };
  }

  /** The input of a run, as it is stored. */
  String input(int run) {
    return shape.bytes() == 0
        ? Integer.toString(run)
        : '"' + Payload.first(run, shape.bytes()) + '"';
  }

  /** The steps whose values a join gets. */
  String[] joined() {
    return switch (shape.kind()) {
      case CHAIN, BOOKINGS, LANES, LOOP, CALLS, EVENTS -> new String[0];
      case FAN -> new String[] {"work"};
      case DIAMOND ->
          IntStream.range(0, shape.size()).mapToObj(i -> "branch-" + i).toArray(String[]::new);
    };
  }

  /** Whether each step has a transaction of its own, with a row of the user's. */
  boolean books() {
    return shape.kind() == Shape.Kind.BOOKINGS;
  }

  /** How large a share of a commit a task is. */
  int weight(Held held) {
    return held.node().equals("fan") ? shape.size() : 1;
  }

  Outcome run(Held held) throws InterruptedException {
    tally.step(0);
    return switch (shape.kind()) {
      case CHAIN, BOOKINGS -> chain(held);
      case DIAMOND -> diamond(held);
      case FAN -> fan(held);
      case LANES, LOOP, CALLS, EVENTS ->
          throw new IllegalArgumentException("Not written here: " + shape);
    };
  }

  private Outcome chain(Held held) {
    int done = Integer.parseInt(held.node().substring("step-".length())) + 1;
    String value = shape.bytes() == 0 ? plusOne(held.value()) : nextText(held.value());
    return done < shape.size()
        ? Outcome.handsOn(held, value, "step-" + done)
        : Outcome.ends(held, value);
  }

  private Outcome diamond(Held held) {
    return switch (held.node()) {
      case "split" -> Outcome.branches(held, plusOne(held.value()), shape.size());
      case "join" -> Outcome.ends(held, held.value());
      default -> Outcome.arrives(held, plusOne(held.value()), "join", shape.size());
    };
  }

  private Outcome fan(Held held) {
    return switch (held.node()) {
      case "fan" -> Outcome.spreads(held, elements(held.value()), "work");
      case "sum" -> Outcome.ends(held, held.value());
      default -> Outcome.arrives(held, plusOne(held.value()), "sum", shape.size());
    };
  }

  /** What a join makes of the values it gets. */
  static String sum(List<String> values) {
    return Integer.toString(values.stream().mapToInt(Integer::parseInt).sum());
  }

  private List<String> elements(String value) {
    int n = Integer.parseInt(value);
    return IntStream.range(n, n + shape.size()).mapToObj(Integer::toString).toList();
  }

  private static String plusOne(String value) {
    return Integer.toString(Integer.parseInt(value) + 1);
  }

  private static String nextText(String value) {
    return '"' + Payload.next(value.substring(1, value.length() - 1)) + '"';
  }
}

package dev.standpipe.cli.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far the demo is.
 *
 * @param steps by node, in the order of the pipeline
 * @param runsLeft how many runs have not ended
 */
record Progress(Map<String, Count> steps, int runsLeft) {
  /** How many steps of how many. */
  record Count(int done, int of) {
    boolean isComplete() {
      return done >= of;
    }
  }

  /** Nothing done yet of these orders. */
  static Progress none(List<Order> orders) {
    return of(orders, Map.of(), orders.size());
  }

  static Progress of(List<Order> orders, Map<String, Integer> done, int runsLeft) {
    int items = orders.stream().mapToInt(order -> order.items().size()).sum();
    Map<String, Count> steps = new LinkedHashMap<>();
    for (String node : OrderPipeline.SHOWN) {
      int all = node.equals(OrderPipeline.PACK) ? items : orders.size();
      steps.put(node, new Count(done.getOrDefault(node, 0), all));
    }
    return new Progress(steps, runsLeft);
  }

  boolean isComplete() {
    return runsLeft == 0;
  }

  /** From 0 to 1. */
  double fraction() {
    double done = steps.values().stream().mapToInt(Count::done).sum();
    double all = steps.values().stream().mapToInt(Count::of).sum();
    return done / all;
  }
}

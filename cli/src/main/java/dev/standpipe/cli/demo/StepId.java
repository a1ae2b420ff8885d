package dev.standpipe.cli.demo;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One step of one order.
 *
 * @param order the key of the order's run
 * @param node the key of its node
 * @param index its index; −1 for an expand, as the database has it
 */
record StepId(String order, String node, int index) {
  /** All that there must be, no more and no less. */
  static Set<StepId> expected(List<Order> orders) {
    Set<StepId> steps = new HashSet<>();
    for (Order order : orders) {
      steps.add(new StepId(order.key(), OrderPipeline.CHARGE, 0));
      steps.add(new StepId(order.key(), OrderPipeline.ITEMS, -1));
      steps.add(new StepId(order.key(), OrderPipeline.LABEL, 0));
      steps.add(new StepId(order.key(), OrderPipeline.RECEIPT, 0));
      for (int i = 0; i < order.items().size(); i++) {
        steps.add(new StepId(order.key(), OrderPipeline.PACK, i));
      }
    }
    return steps;
  }

  /** Whether its body leaves an effect in the ledger: all but the expand's do. */
  boolean hasEffect() {
    return !node.equals(OrderPipeline.ITEMS);
  }

  boolean isReceipt() {
    return node.equals(OrderPipeline.RECEIPT);
  }
}

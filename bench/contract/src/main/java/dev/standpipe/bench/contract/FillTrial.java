package dev.standpipe.bench.contract;

/** Leaves runs in the database. */
final class FillTrial implements Trial {
  private static final int BATCH = 2_000;

  @Override
  public void run(Contender contender, Order order, Line line) throws Exception {
    fill(contender, order);
    line.awaitGo();
    line.say("result", "{}");
  }

  /** Makes the tables and starts the runs asked for. No connection stays open. */
  static void fill(Contender contender, Order order) throws Exception {
    int runs = (int) order.number(Order.RUNS, 0);
    try (Engine client = contender.client(order.url(), order.shape())) {
      for (int first = 0; first < runs; first += BATCH) {
        client.startAll(first, Math.min(BATCH, runs - first));
      }
    }
  }
}

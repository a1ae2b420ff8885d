package dev.standpipe.bench.contract;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Works until told to stop. Says {@code count} and the number of bodies so far whenever it has
 * grown. Told to hold, its bodies never return, for the orchestrator to kill it while it is busy.
 */
final class ServeTrial implements Trial {
  private static final long REPORT_NANOS = 5_000_000;

  @Override
  public void run(Contender contender, Order order, Line line) throws Exception {
    line.awaitGo();
    Tally tally = order.number(Order.HOLD, 0) == 1 ? new HoldingTally() : new Tally();
    Contender.Settings settings = settings(order);
    Engine engine = contender.worker(order.url(), order.shape(), tally, settings);
    try {
      line.say("serving", "");
      Thread reporter = new Thread(() -> report(tally, line), "reporter");
      reporter.setDaemon(true);
      reporter.start();
      line.expect("stop");
      reporter.interrupt();
      line.say("result", "{}");
    } finally {
      engine.close();
    }
  }

  private static Contender.Settings settings(Order order) {
    if (order.number(Order.QUICK_RECOVERY, 0) == 1) {
      return Contender.Settings.QUICK_RECOVERY;
    }
    return order.number(Order.DEFAULT_RECOVERY, 0) == 1
        ? Contender.Settings.DEFAULT_RECOVERY
        : Contender.Settings.USUAL;
  }

  /** Says how far the tally is, until interrupted. */
  private static void report(Tally tally, Line line) {
    long said = 0;
    while (!Thread.currentThread().isInterrupted()) {
      long steps = tally.steps();
      if (steps != said) {
        said = steps;
        line.say("count", Long.toString(steps));
      }
      LockSupport.parkNanos(REPORT_NANOS);
    }
  }

  /** Lets no body return. */
  private static final class HoldingTally extends Tally {
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public void step(int run) throws InterruptedException {
      super.step(run);
      never.await();
    }
  }
}

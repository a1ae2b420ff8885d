package dev.standpipe.bench.standpipe;

import dev.standpipe.bench.contract.Contender.Settings;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import java.util.concurrent.CountDownLatch;

/** A worker whose bodies never return, for a supervisor to start and somebody to kill. */
public final class HoldingWorker {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private HoldingWorker() {}

  /** Takes the address of the database and the shape of its runs, and works until it is killed. */
  public static void main(String[] args) throws InterruptedException {
    Tally holding =
        new Tally() {
          @Override
          public void step(int run) throws InterruptedException {
            NEVER.await();
          }
        };
    new StandpipeContender()
        .worker(args[0], Shape.parse(args[1]), holding, Settings.DEFAULT_RECOVERY);
    NEVER.await();
  }
}

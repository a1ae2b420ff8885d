package dev.standpipe.cli.demo;

import dev.standpipe.StepContext;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the demo's bodies do: take their time, then leave their mark on the outside world.
 *
 * <p>Like a call that is already on its way to a remote system, the work cannot be interrupted: a
 * worker that was frozen past its lease finishes it nevertheless and tries to commit it. That is
 * the late write the fencing token is for.
 */
final class Workshop {
  private final Ledger ledger;

  Workshop(Ledger ledger) {
    this.ledger = ledger;
  }

  void work(int order, StepContext ctx) throws IOException {
    takeTime(millis(order, ctx));
    ledger.append(
        new Ledger.Entry(
            order,
            ctx.node(),
            ctx.index(),
            ctx.idempotencyKey(),
            ctx.token(),
            ProcessHandle.current().pid()));
  }

  /** From half to one and a half of what is usual for the step, the same in every demo. */
  private static int millis(int order, StepContext ctx) {
    int usual =
        switch (ctx.node()) {
          case OrderPipeline.PACK -> 200;
          case OrderPipeline.RECEIPT -> 100;
          default -> 120;
        };
    return usual / 2 + Math.floorMod(31 * order + 17 * ctx.index(), usual);
  }

  private static void takeTime(int millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    boolean interrupted = false;
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.standpipe.cli.drill;

import dev.standpipe.Standpipe;
import dev.standpipe.cli.database.Address;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A worker of a drill. Its bodies hold their steps until they are interrupted, or with {@code
 * --poisonable} do all but those that kill it.
 */
@Command(name = "drill-worker", hidden = true, description = "Serve the drills' pipeline.")
public final class DrillWorkerCommand implements Callable<Integer> {
  @Option(names = "--name", required = true)
  private String name = "";

  @Option(names = "--table-prefix", required = true)
  private String tablePrefix = "";

  @Option(names = "--poisonable")
  private boolean poisonable;

  @Override
  public Integer call() throws IOException {
    PrintStream parent = System.out;
    Standpipe standpipe =
        Standpipe.on(Address.readFrom(System.getenv()).open())
            .serve(Stage.pipeline((text, ctx) -> poisonable ? survive(text) : hold(text)))
            .name(name)
            .tablePrefix(tablePrefix)
            .lease(Stage.LEASE)
            .crashLimit(Stage.CRASH_LIMIT)
            .concurrency(4)
            .grace(Duration.ZERO)
            .listener(event -> tell(parent, event))
            .start();
    try (standpipe) {
      while (System.in.read() >= 0) {
        // the parent has nothing to say; it only closes
      }
    }
    return 0;
  }

  private static String survive(String text) {
    if (text.equals(Poison.INPUT)) {
      Runtime.getRuntime().halt(1);
    }
    return text;
  }

  /** Like one who does not know that he has been given up: returns as if nothing had happened. */
  private static String hold(String text) {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // nobody waits for it any more, and it does not know
    }
    return text + " late";
  }

  private void tell(PrintStream parent, Event event) {
    if (event instanceof Event.ExecutionStarted e) {
      parent.println(event.name() + " " + name + " begins " + e.step().node());
    } else if (event instanceof Event.LeaseAcquired e) {
      parent.println(
          event.name()
              + " "
              + name
              + " holds "
              + e.step().node()
              + " with token "
              + e.step().token());
    } else if (event instanceof Event.StaleWriteBlocked e) {
      parent.println(
          event.name() + " the late write of " + name + " with token " + e.step().token());
    } else if (event instanceof Event.SuspectClaimed e) {
      parent.println(event.name() + " " + name + " tries " + e.step().node() + " with care");
    } else if (event instanceof Event.ProcessStarted || event instanceof Event.LeaseLost) {
      parent.println(event.name() + " " + name);
    }
    parent.flush();
  }
}

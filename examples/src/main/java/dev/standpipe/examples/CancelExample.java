package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.operate.Operator;
import java.util.concurrent.CountDownLatch;

/** A run that waits for something that never comes, until somebody cancels it. */
public final class CancelExample {
  private CancelExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Pipeline<String, String> order =
        Pipeline.define(
            "order",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "wait-for-stock",
                        String.class,
                        item -> {
                          if (item.equals("unicorn")) {
                            waiting.countDown();
                            never.await();
                          }
                          return item;
                        })
                    .step("ship", String.class, item -> item + " is on its way"));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(order).start()) {
      Run<String> run = standpipe.start(order, "unicorn");
      waiting.await();
      Operator ann = standpipe.operator("ann");
      ann.cancel(run.id(), "out of stock for good");
      try {
        run.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(e.status() + ", " + run.info().cancellation().orElseThrow());
      }
      System.out.println("again: " + ann.cancel(run.id(), "to be sure"));

      Run<String> done = standpipe.start(order, "kettle");
      System.out.println(done.await(ofMinutes(1)));
      try {
        ann.cancel(done.id(), "too late");
      } catch (RunEndedException e) {
        System.out.println("refused: it has " + e.status());
      }
    }
  }
}

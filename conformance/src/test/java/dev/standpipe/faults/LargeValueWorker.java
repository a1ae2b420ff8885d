package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process whose steps all end at the same moment, each with a value of a megabyte. */
final class LargeValueWorker {
  static final int AT_ONCE = 40;
  private static final int LARGE = 1_000_000;

  private LargeValueWorker() {}

  /**
   * Serves the pipeline until it is killed.
   *
   * @param args the url
   */
  public static void main(String[] args) throws InterruptedException {
    CyclicBarrier together = new CyclicBarrier(AT_ONCE);
    Standpipe standpipe =
        Standpipe.on(PoisonWorker.source(argument(args, "url")))
            .serve(pipeline(together))
            .concurrency(AT_ONCE)
            .lease(Duration.ofMinutes(5))
            .start();
    System.out.println("serves=" + standpipe.getClass().getSimpleName());
    Thread.currentThread().join();
  }

  /** From a large input to a large value to its length. */
  static Pipeline<String, Integer> pipeline(CyclicBarrier together) {
    return Pipeline.define(
        "large",
        String.class,
        Integer.class,
        flow ->
            flow.input()
                .step("grow", String.class, (text, ctx) -> grow(text, together))
                .step("measure", Integer.class, (text, ctx) -> text.length()));
  }

  static String large() {
    return "x".repeat(LARGE);
  }

  private static String grow(String text, CyclicBarrier together) throws InterruptedException {
    int length = text.length(); // the input itself may go
    try {
      together.await(5, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      // not all could be taken at once, for want of memory
    }
    return "y".repeat(length);
  }
}

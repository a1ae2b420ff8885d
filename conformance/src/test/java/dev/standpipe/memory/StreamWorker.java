package dev.standpipe.memory;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import java.time.Duration;
import java.util.stream.IntStream;

/** A process that expands into more elements than it has room for, and adds them up again. */
final class StreamWorker {
  /** As many elements as its input says; the result is the sum of their doubles. */
  private static final Pipeline<Integer, Long> LONG =
      Pipeline.define(
          "long",
          Integer.class,
          Long.class,
          flow ->
              flow.input()
                  .expandStream("elements", Integer.class, n -> IntStream.range(0, n).boxed())
                  .limit(Integer.MAX_VALUE)
                  .step("double", Integer.class, n -> 2 * n)
                  .reduce("sum", Long.class, () -> 0L, Long::sum));

  private StreamWorker() {}

  /**
   * Says {@code sum=} and the result.
   *
   * @param args url and elements
   */
  public static void main(String[] args) throws InterruptedException {
    try (Standpipe standpipe =
        Standpipe.on(ExpandWorker.source(argument(args, "url"))).serve(LONG).start()) {
      int elements = Integer.parseInt(argument(args, "elements"));
      System.out.println("sum=" + standpipe.start(LONG, elements).await(Duration.ofMinutes(30)));
    }
  }
}

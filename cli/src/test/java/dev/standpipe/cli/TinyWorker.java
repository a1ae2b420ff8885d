package dev.standpipe.cli;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.database.Address;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A user's program: serves a pipeline until it is stopped. */
final class TinyWorker {
  private TinyWorker() {}

  /** One step that takes as many milliseconds as its input says. */
  static Pipeline<Integer, Integer> pipeline() {
    return Pipeline.define(
        "tiny",
        Integer.class,
        Integer.class,
        flow -> flow.input().step("work", Integer.class, TinyWorker::work));
  }

  private static int work(int millis) throws InterruptedException {
    if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("Nobody opens it");
    }
    return millis;
  }

  /** Serves it. */
  public static void main(String[] args) throws InterruptedException {
    Standpipe standpipe =
        Standpipe.on(Address.readFrom(System.getenv()).open())
            .serve(pipeline())
            .name(args[0])
            .lease(Duration.ofSeconds(30))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(standpipe::close, "close-standpipe"));
    new CountDownLatch(1).await();
  }
}

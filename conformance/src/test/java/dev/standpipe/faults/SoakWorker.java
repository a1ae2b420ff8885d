package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** A process that serves a random pipeline whose bodies take their time and sometimes fail. */
final class SoakWorker {
  private static final int FAILS_AT_MOST = 2;

  private final History history;

  private SoakWorker(History history) {
    this.history = history;
  }

  /**
   * Serves the pipeline until it is stopped.
   *
   * @param args name, url, history, the seed of the pipeline, and lease in milliseconds
   */
  public static void main(String[] args) throws InterruptedException {
    History history = History.appendTo(Path.of(argument(args, "history")));
    SoakWorker worker = new SoakWorker(history);
    long seed = Long.parseLong(argument(args, "seed"));
    Standpipe standpipe =
        Standpipe.on(Databases.source(argument(args, "url")))
            .serve(new RandomPipeline(seed, worker::work).pipeline())
            .name(argument(args, "name"))
            .concurrency(4)
            .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
            .grace(Duration.ofSeconds(1))
            .listener(history)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(standpipe::close, "close-standpipe"));
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** How long it takes and whether it fails depends on the step and the try alone. */
  private int work(int value, StepContext ctx) throws InterruptedException {
    history.note(What.STARTED, ctx);
    Random random = new Random(ctx.idempotencyKey().hashCode() + 31L * ctx.attempt());
    try {
      EngineFixture.pause(Duration.ofMillis(random.nextInt(40)));
    } catch (InterruptedException e) {
      history.note(What.INTERRUPTED, ctx);
      throw e;
    }
    history.note(What.ENDED, ctx);
    if (ctx.attempt() <= FAILS_AT_MOST && random.nextInt(20) == 0) {
      throw new IllegalStateException("as it should");
    }
    return value + 1;
  }
}

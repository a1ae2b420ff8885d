package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process on a host that will be gone before it has finished anything. */
final class BadHostWorker {
  static final int ROOM = 500;
  static final Duration LEASE = Duration.ofSeconds(2);

  private BadHostWorker() {}

  static WorkerJvm start(String name, Path directory, String url) {
    return WorkerJvm.of(BadHostWorker.class, name, directory).argument("url", url).start();
  }

  /**
   * Serves the pipeline, whose steps do not end here.
   *
   * @param args url
   */
  public static void main(String[] args) throws InterruptedException {
    Standpipe.on(PoisonWorker.source(argument(args, "url")))
        .serve(pipeline(Duration.ofHours(1)))
        .concurrency(ROOM)
        .lease(LEASE)
        .start();
    new CountDownLatch(1).await();
  }

  static Pipeline<String, String> pipeline(Duration body) {
    return EngineFixture.single(
        "held",
        (text, ctx) -> {
          EngineFixture.pause(body);
          return text;
        });
  }
}

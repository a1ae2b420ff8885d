package dev.standpipe.memory;

import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import java.time.Duration;

/**
 * A process whose one pipeline has a backlog while its other one flows; tells how much it needs.
 */
final class BacklogWorker {
  /** Its bodies take so long that a backlog of any size is there to stay. */
  static final Pipeline<String, String> SLOW =
      single(
          "slow",
          (text, ctx) -> {
            EngineFixture.pause(Duration.ofMillis(200));
            return text;
          });

  /** Its bodies end at once. */
  static final Pipeline<String, String> FLOWING =
      Pipeline.define(
          "flowing",
          String.class,
          String.class,
          flow ->
              flow.input()
                  .step("a", String.class, text -> text + "a")
                  .step("b", String.class, text -> text + "b"));

  private BacklogWorker() {}

  /**
   * Says {@code heap=} and what is left of the heap after a collection, again and again.
   *
   * @param args the url
   */
  public static void main(String[] args) throws InterruptedException {
    Standpipe standpipe =
        Standpipe.on(PostgresServer.dataSource(argument(args, "url")))
            .serve(SLOW, FLOWING)
            .concurrency(16)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(standpipe::close, "close-standpipe"));
    while (true) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      System.out.println("heap=" + (runtime.totalMemory() - runtime.freeMemory()));
      EngineFixture.pause(Duration.ofMillis(500));
    }
  }
}

package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.error.NotPausedException;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Pause;
import java.util.concurrent.CountDownLatch;

/** A run is paused while its first step runs, and a pipeline before anything of it runs. */
public final class PauseExample {
  private PauseExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    CountDownLatch baking = new CountDownLatch(1);
    CountDownLatch baked = new CountDownLatch(1);
    Pipeline<String, String> cake =
        Pipeline.define(
            "cake",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "bake",
                        String.class,
                        name -> {
                          baking.countDown();
                          baked.await();
                          return "a " + name;
                        })
                    .step("decorate", String.class, it -> it + " with cherries"));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(cake).start()) {
      Operator ann = standpipe.operator("ann");
      Run<String> run = standpipe.start(cake, "gugelhupf");
      baking.await();
      ann.pause(run.id(), "no cherries");
      System.out.println("the first is " + run.status());
      baked.countDown();

      ann.pause("cake", "the oven is too hot");
      Run<String> waits = standpipe.start(cake, "sachertorte");
      Pause pause = ann.pauses().get(0);
      System.out.println("paused: " + pause.pipeline() + ", since " + pause.reason());

      ann.resume(run.id(), "there are some");
      ann.resume("cake", "it has cooled");
      System.out.println(run.await(ofMinutes(1)));
      System.out.println(waits.await(ofMinutes(1)));
      try {
        ann.resume(run.id(), "once more");
      } catch (NotPausedException e) {
        System.out.println("refused: " + e.code());
      }
    }
  }
}

package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.operate.Fork;
import dev.standpipe.operate.Operator;
import java.util.UUID;

/**
 * What if the quote had been another? A fork starts from the chosen node, takes over what came
 * before and leaves the original alone.
 */
public final class ForkExample {
  private ForkExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> trip =
        Pipeline.define(
            "trip",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "quote",
                        Integer.class,
                        city -> {
                          System.out.println("asking for a quote to " + city);
                          return 40 * city.length();
                        })
                    .step("offer", String.class, price -> "yours for " + price)
                    .step("letter", String.class, offer -> "Dear customer, " + offer));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(trip).start()) {
      Run<String> run = standpipe.start(trip, "Graz");
      System.out.println(run.await(ofMinutes(1)));

      Operator ann = standpipe.operator("ann");
      UUID cheaper = ann.fork(run.id(), "offer", "a discount", Fork.input(99));
      Run<String> fork = standpipe.run(trip, cheaper);
      System.out.println(fork.await(ofMinutes(1)));
      System.out.println("forked at " + fork.info().links().forkOf().orElseThrow().node());
      System.out.println("the original: " + run.await(ofMinutes(1)));

      try {
        ann.fork(run.id(), "invoice", "no such thing");
      } catch (NotForkableException e) {
        System.out.println("refused: " + e.code());
      }
    }
  }
}

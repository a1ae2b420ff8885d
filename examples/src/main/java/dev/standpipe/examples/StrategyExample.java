package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepInfo;

/**
 * A newsletter that goes out without its picture and without its advertisement: the failure of the
 * picture is ignored, that of the advertisement costs only what depends on it.
 */
public final class StrategyExample {
  private StrategyExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> newsletter =
        Pipeline.define(
            "newsletter",
            String.class,
            String.class,
            flow -> {
              flow.strategy(Strategy.CONTINUE);
              Node<String> text = flow.input().step("write", String.class, s -> "about " + s);
              Node<String> picture =
                  flow.input()
                      .step("draw", String.class, StrategyExample::draw)
                      .retry(Retry.never())
                      .strategy(Strategy.IGNORE);
              flow.input()
                  .step("sell", Integer.class, price -> Integer.parseInt(price))
                  .retry(Retry.never())
                  .step("bill", String.class, price -> "billed " + price);
              return Node.join(text, picture).step("send", String.class, StrategyExample::send);
            });

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(newsletter).start()) {
      Run<String> run = standpipe.start(newsletter, "otters");
      try {
        run.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(e.status() + ", " + e.failed().size() + " steps failed");
      }
      for (StepInfo step : run.steps()) {
        System.out.println(step.node() + ": " + step.state());
      }
    }
  }

  private static String draw(String subject) {
    throw new IllegalStateException("no pencil to draw " + subject);
  }

  private static String send(String text, String picture) {
    System.out.println("sent " + text + (picture == null ? ", without a picture" : ", " + picture));
    return text;
  }
}

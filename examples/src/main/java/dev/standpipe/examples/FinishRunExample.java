package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.TypeToken;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Asks three shops at once. The first quote that is good enough ends the run; the shop that would
 * never have answered is interrupted.
 */
public final class FinishRunExample {
  private FinishRunExample() {}

  /** What a shop asks for. */
  public record Quote(String shop, int price) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<List<String>, Quote> cheapest =
        Pipeline.define(
            "cheapest",
            new TypeToken<List<String>>() {},
            TypeToken.of(Quote.class),
            flow ->
                flow.input()
                    .expand("shops", String.class, shops -> shops)
                    .step("ask", Quote.class, FinishRunExample::ask)
                    .collapse("choose", Quote.class, FinishRunExample::choose));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(cheapest).start()) {
      Run<Quote> run = standpipe.start(cheapest, List.of("north", "west", "south"));
      System.out.println("the first good one: " + run.await(ofMinutes(1)));
      System.out.println(run.status() + " by " + run.info().haltNode().orElseThrow());
    }
  }

  private static Quote ask(String shop, StepContext ctx) throws InterruptedException {
    if (shop.equals("north")) {
      new CountDownLatch(1).await(); // never answers
    }
    Quote quote = new Quote(shop, shop.equals("west") ? 18 : 24);
    if (quote.price() < 20) {
      ctx.finishRun(quote);
    }
    return quote;
  }

  private static Quote choose(List<Quote> quotes) {
    return quotes.stream().min(Comparator.comparingInt(Quote::price)).orElseThrow();
  }
}

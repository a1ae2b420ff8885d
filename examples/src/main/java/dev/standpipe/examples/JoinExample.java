package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import java.util.ArrayList;
import java.util.List;

/**
 * Values brought together: two of different types with {@code join}, any number of one type with
 * {@code all}. What comes {@code after} another step waits for it without getting its value.
 */
public final class JoinExample {
  private JoinExample() {}

  record Offer(String shop, int price) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> shop =
        Pipeline.define(
            "cheapest-offer",
            String.class,
            String.class,
            flow -> {
              List<Node<Offer>> offers = new ArrayList<>();
              for (String name : List.of("north", "south", "west")) {
                offers.add(
                    flow.input()
                        .step("ask-" + name, Offer.class, item -> new Offer(name, price(name))));
              }
              Node<Offer> best =
                  Node.all(offers).step("choose", Offer.class, JoinExample::cheapest);
              Node<Boolean> inStock = best.step("check", Boolean.class, offer -> offer.price() > 0);
              Node<String> thanks =
                  flow.input().step("thank", String.class, item -> "Thanks, all").after(best);
              return Node.join(flow.input(), best, inStock, thanks)
                  .step(
                      "answer",
                      String.class,
                      (item, offer, stock, word) ->
                          word + ". A " + item + " from " + offer + (stock ? "" : ", sold out"));
            });

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(shop).start()) {
      System.out.println(standpipe.start(shop, "kettle").await(ofMinutes(1)));
    }
  }

  private static int price(String shop) {
    return 20 + shop.length();
  }

  private static Offer cheapest(List<Offer> offers) {
    return offers.stream()
        .min((one, other) -> Integer.compare(one.price(), other.price()))
        .orElseThrow();
  }
}

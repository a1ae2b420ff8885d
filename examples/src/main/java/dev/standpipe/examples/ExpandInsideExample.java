package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import java.util.List;

/**
 * Branches that branch again: an order has parcels, a parcel has items. Every item is wrapped on
 * its own, a parcel is packed as soon as its own items are, and the order is sent when all parcels
 * are.
 */
public final class ExpandInsideExample {
  private ExpandInsideExample() {}

  record Parcel(List<String> items) {}

  record Order(List<Parcel> parcels) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Order, String> send =
        Pipeline.define(
            "send-order",
            Order.class,
            String.class,
            flow ->
                flow.input()
                    .expand("parcels", Parcel.class, Order::parcels)
                    .expand(
                        "items",
                        String.class,
                        Parcel::items,
                        item ->
                            item.limit(50)
                                .step("wrap", String.class, String::strip)
                                .collapse("pack", String.class, all -> String.join("+", all)))
                    .collapse("send", String.class, List::toString));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(send).start()) {
      Order order =
          new Order(List.of(new Parcel(List.of("cup ", " pot")), new Parcel(List.of("tea"))));
      System.out.println(standpipe.start(send, order).await(ofMinutes(1)));
      System.out.println(standpipe.start(send, new Order(List.of())).await(ofMinutes(1)));
    }
  }
}

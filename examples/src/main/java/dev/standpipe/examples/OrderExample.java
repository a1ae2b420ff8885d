package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import java.util.List;

/**
 * The README's example: charge an order, pack its items side by side, print one label for the
 * parcels, and write a receipt once both are done.
 */
public final class OrderExample {
  private OrderExample() {}

  record Item(String sku) {}

  record Order(String id, List<Item> items) {}

  record Payment(String reference) {}

  record Parcel(String sku) {}

  record Label(String text) {}

  record Receipt(Payment payment, Label label) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Order, Receipt> fulfil =
        Pipeline.define(
            "fulfil-order",
            Order.class,
            Receipt.class,
            flow -> {
              Node<Order> order = flow.input();
              Node<Payment> payment =
                  order
                      .step("charge", Payment.class, (o, ctx) -> charge(o, ctx.idempotencyKey()))
                      .retry(Retry.exponential(ofSeconds(1)).limit(5))
                      .timeout(ofMinutes(2));
              Each<Parcel> parcels =
                  order
                      .expand("items", Item.class, Order::items)
                      .step("pack", Parcel.class, OrderExample::pack);
              Node<Label> label = parcels.collapse("label", Label.class, OrderExample::label);
              return Node.join(payment, label).step("receipt", Receipt.class, Receipt::new);
            });
    System.out.println(fulfil.toMermaid());

    Order order = new Order("17", List.of(new Item("cup"), new Item("pot"), new Item("tea")));
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(fulfil).start()) {
      Run<Receipt> run = standpipe.start(fulfil, order, RunOptions.key("order-" + order.id()));
      Receipt receipt = run.await(ofMinutes(5));
      System.out.println(receipt);
    }
  }

  /** A payment provider that deduplicates by the key charges once, however often it is asked. */
  private static Payment charge(Order order, String idempotencyKey) {
    boolean sameForEveryTry = idempotencyKey.contains("charge");
    return new Payment("paid-" + order.id() + (sameForEveryTry ? "" : "-again"));
  }

  private static Parcel pack(Item item) {
    return new Parcel(item.sku());
  }

  private static Label label(List<Parcel> parcels) {
    return new Label(parcels.size() + " parcels: " + parcels.stream().map(Parcel::sku).toList());
  }
}

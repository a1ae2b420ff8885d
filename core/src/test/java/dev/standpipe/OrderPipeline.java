package dev.standpipe;

import java.time.Duration;
import java.util.List;

/** The pipeline of the README, with bodies that touch nothing. */
final class OrderPipeline {
  private OrderPipeline() {}

  record Item(String sku, int count) {}

  record Order(String id, List<Item> items) {}

  record Payment(String order, String idempotencyKey) {}

  record Parcel(String sku) {}

  record Label(int parcels) {}

  record Receipt(Payment payment, Label label) {}

  static Pipeline<Order, Receipt> define() {
    return Pipeline.define(
        "fulfil-order",
        Order.class,
        Receipt.class,
        flow -> {
          Node<Order> order = flow.input();
          Node<Payment> payment =
              order
                  .step(
                      "charge",
                      Payment.class,
                      (o, ctx) -> new Payment(o.id(), ctx.idempotencyKey()))
                  .retry(Retry.exponential(Duration.ofSeconds(1)).limit(5))
                  .timeout(Duration.ofMinutes(2))
                  .compensate(OrderPipeline::refund);
          Each<Parcel> parcels =
              order
                  .expand("items", Item.class, Order::items)
                  .step("pack", Parcel.class, OrderPipeline::pack);
          Node<Label> label = parcels.collapse("label", Label.class, OrderPipeline::label);
          return Node.join(payment, label).step("receipt", Receipt.class, Receipt::new);
        });
  }

  private static void refund(Payment payment) {}

  private static Parcel pack(Item item) {
    return new Parcel(item.sku());
  }

  private static Label label(List<Parcel> parcels) {
    return new Label(parcels.size());
  }
}

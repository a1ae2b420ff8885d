package dev.standpipe.cli.demo;

import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.StepContext;
import java.io.IOException;
import java.util.List;

/** The pipeline of the demo: charge, pack every item, label the parcels, write the receipt. */
final class OrderPipeline {
  static final String CHARGE = "charge";
  static final String ITEMS = "items";
  static final String PACK = "pack";
  static final String LABEL = "label";
  static final String RECEIPT = "receipt";

  /** The steps worth a progress bar, in order. */
  static final List<String> SHOWN = List.of(CHARGE, PACK, LABEL, RECEIPT);

  private OrderPipeline() {}

  /** An item to pack, with the order it belongs to. */
  record Item(int order, String name) {}

  /** An item in its box. */
  record Parcel(int order, String contents) {}

  /** Money that was taken. */
  record Payment(int order, int cents) {}

  /** What goes onto the parcels. */
  record Label(int order, int parcels) {}

  /** What the customer gets. */
  record Receipt(int order, int cents, int parcels) {}

  /** The pipeline, its bodies doing their work in this workshop. */
  static Pipeline<Order, Receipt> define(Workshop workshop) {
    return Pipeline.define(
        "demo-order",
        Order.class,
        Receipt.class,
        flow -> {
          Node<Order> order = flow.input();
          Node<Payment> payment =
              order.step(
                  CHARGE,
                  Payment.class,
                  (o, ctx) -> work(workshop, o.id(), ctx, new Payment(o.id(), cents(o))));
          Each<Parcel> parcels =
              order
                  .expand(ITEMS, Item.class, OrderPipeline::items)
                  .step(
                      PACK,
                      Parcel.class,
                      (i, ctx) -> work(workshop, i.order(), ctx, new Parcel(i.order(), i.name())));
          Node<Label> label =
              parcels.collapse(
                  LABEL,
                  Label.class,
                  (all, ctx) -> work(workshop, order(all), ctx, new Label(order(all), all.size())));
          return Node.join(payment, label)
              .step(
                  RECEIPT,
                  Receipt.class,
                  (p, l, ctx) ->
                      work(
                          workshop,
                          p.order(),
                          ctx,
                          new Receipt(p.order(), p.cents(), l.parcels())));
        });
  }

  private static <T> T work(Workshop workshop, int order, StepContext ctx, T value)
      throws IOException {
    workshop.work(order, ctx);
    return value;
  }

  private static List<Item> items(Order order) {
    return order.items().stream().map(name -> new Item(order.id(), name)).toList();
  }

  private static int cents(Order order) {
    return order.items().stream().mapToInt(name -> 100 * name.length()).sum();
  }

  private static int order(List<Parcel> parcels) {
    return parcels.get(0).order();
  }
}

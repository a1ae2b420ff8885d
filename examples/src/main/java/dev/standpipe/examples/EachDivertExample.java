package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.info.StepState;
import java.util.List;

/**
 * Elements that take different ways: each parcel takes the arm that its own value names, the steps
 * on the others are skipped for it alone, and the collapse gets one value for each.
 */
public final class EachDivertExample {
  private EachDivertExample() {}

  record Parcel(String to, int grams) {}

  record Order(List<Parcel> parcels) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Order, String> shipping =
        Pipeline.define(
            "ship-parcels",
            Order.class,
            String.class,
            flow ->
                flow.input()
                    .expand("parcels", Parcel.class, Order::parcels)
                    .divert("weight", parcel -> parcel.grams() < 1_000 ? "letter" : "parcel")
                    .on(
                        "letter",
                        light -> light.step("stamp", String.class, p -> p.to() + " by post"))
                    .otherwise(
                        heavy ->
                            heavy
                                .step("weigh", Integer.class, p -> p.grams() / 1_000)
                                .step("load", String.class, kg -> kg + " kg by truck"))
                    .converge()
                    .collapse("shipped", String.class, all -> String.join(", ", all)));

    System.out.println(shipping.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(shipping).start()) {
      Order order = new Order(List.of(new Parcel("Oslo", 300), new Parcel("Graz", 4_000)));
      Run<String> run = standpipe.start(shipping, order);
      System.out.println(run.await(ofMinutes(1)));
      run.steps().stream()
          .filter(step -> step.state() == StepState.SKIPPED)
          .forEach(step -> System.out.println("skipped: " + step.node() + " of " + step.index()));
    }
  }
}

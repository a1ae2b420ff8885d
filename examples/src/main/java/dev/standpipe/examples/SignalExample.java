package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.SignalOptions;
import dev.standpipe.Standpipe;

/**
 * A run that waits for the world: for a payment, with another way to go when none comes, and for a
 * person's yes. It holds no thread while it waits, and survives restarts.
 */
public final class SignalExample {
  private SignalExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> orders =
        Pipeline.define(
            "sell",
            String.class,
            String.class,
            flow -> {
              Node<Integer> paid =
                  flow.input()
                      .await("paid", Integer.class)
                      .within(ofSeconds(3))
                      .otherwise(order -> order.step("remind", Integer.class, o -> 0));
              return Node.join(flow.input(), paid, paid.approval("boss"))
                  .step(
                      "ship",
                      String.class,
                      (order, sum, boss) ->
                          order
                              + " for "
                              + sum
                              + (boss.approved() ? ", said " : ", refused by ")
                              + boss.by());
            });

    System.out.println(orders.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(orders).start()) {
      Run<String> tea = standpipe.start(orders, "tea");
      Run<String> pot = standpipe.start(orders, "pot");
      SignalOptions event = SignalOptions.dedupeKey("payment-77");
      System.out.println("taken: " + standpipe.signal(tea.id(), "paid", 12, event));
      System.out.println("taken again: " + standpipe.signal(tea.id(), "paid", 12, event));
      standpipe.operator("ann").approve(tea.id(), "boss", "a good customer");
      standpipe.operator("bob").reject(pot.id(), "boss", "not unpaid");
      System.out.println(tea.await(ofMinutes(1)));
      System.out.println(pot.await(ofMinutes(1)));
    }
  }
}

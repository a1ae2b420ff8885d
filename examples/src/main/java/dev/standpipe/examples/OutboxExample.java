package dev.standpipe.examples;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.outbox.CloudEvent;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Events that are committed with a step, or with a transaction of one's own, and then published.
 */
public final class OutboxExample {
  private OutboxExample() {}

  /** What an event tells. */
  public record Paid(String order, int cents) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    CountDownLatch published = new CountDownLatch(2);
    Sink console =
        Sink.of(
            "console",
            events -> {
              for (OutboxEvent event : events) {
                System.out.println(
                    event.type() + " of " + event.subject() + ": " + event.payload());
                System.out.println("  as a CloudEvent " + CloudEvent.of(event).structured());
                published.countDown();
              }
            });
    Pipeline<String, Integer> charge =
        Pipeline.define(
            "charge",
            String.class,
            Integer.class,
            flow ->
                flow.input()
                    .step(
                        "charge",
                        Integer.class,
                        (order, ctx) -> {
                          ctx.emit(
                              "order.paid",
                              new Paid(order, 1700),
                              EventOptions.subject(order).withDedupeKey("paid-" + order));
                          return 1700;
                        }));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(charge).sink(console).start()) {
      standpipe.start(charge, "order-17").await(Duration.ofMinutes(1));
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        // … the team's own writes …
        standpipe.emit(connection, "order.shipped", "by truck", EventOptions.subject("order-17"));
        connection.commit();
      }
      if (!published.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("No events within a minute");
      }
    }
  }
}

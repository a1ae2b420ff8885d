package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.error.UnknownPipelineException;
import java.util.Map;

/**
 * A process that serves nothing is a client: it knows a pipeline by its name alone, gives it plain
 * data and reads plain data back. Here both live in one program; usually they do not.
 */
public final class ClientExample {
  private ClientExample() {}

  record Trip(String from, String to) {}

  record Ticket(String text, int price) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Trip, Ticket> book =
        Pipeline.define(
            "book-trip",
            Trip.class,
            Ticket.class,
            flow -> flow.input().step("reserve", Ticket.class, ClientExample::reserve));

    try (HikariDataSource database = Database.open(args);
        Standpipe worker = Standpipe.on(database).name("worker").serve(book).start();
        Standpipe client = Standpipe.on(database).name("client").start()) {
      Run<Object> run =
          client.start(
              "book-trip",
              Map.of("from", "Oslo", "to", "Bergen"),
              RunOptions.none().label("customer", "acme"));
      System.out.println("as the client sees it: " + run.await(ofMinutes(1)));
      System.out.println(
          "as the worker sees it: " + worker.run(book, run.id()).result().orElseThrow());
      System.out.println("labelled " + run.info().labels());
      try {
        client.start("book-flight", Map.of(), RunOptions.none());
      } catch (UnknownPipelineException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static Ticket reserve(Trip trip) {
    return new Ticket(trip.from() + " to " + trip.to(), 42);
  }
}

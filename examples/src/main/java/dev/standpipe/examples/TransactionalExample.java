package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A seat is booked in a table of our own, exactly once, though the first body fails after it. */
public final class TransactionalExample {
  private TransactionalExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    CompletableFuture<Standpipe> here = new CompletableFuture<>();
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<String, String> ticketing =
        Pipeline.define(
            "ticketing",
            String.class,
            String.class,
            flow -> flow.input().step("print", String.class, seat -> "ticket for " + seat));
    Pipeline<String, String> order =
        Pipeline.define(
            "seat-order",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .transactional(
                        "book",
                        String.class,
                        (seat, tx) -> {
                          book(tx.connection(), seat);
                          here.join().start(ticketing, seat); // joins the transaction
                          if (bodies.incrementAndGet() == 1) {
                            System.out.println("the first body wrote a booking and failed");
                            throw new IllegalStateException("after all was written");
                          }
                          return "booked " + seat;
                        })
                    .retry(Retry.fixed(ofMillis(50)).limit(3)));

    try (HikariDataSource database = Database.open(args)) {
      execute(database.getConnection(), "create table seat_booking (seat varchar(20) not null)");
      try (Standpipe standpipe = Standpipe.on(database).serve(order, ticketing).start()) {
        here.complete(standpipe);
        Run<String> run = standpipe.start(order, "12A");
        System.out.println(run.await(ofMinutes(1)));
        System.out.printf(
            "bookings: %d, tickets: %d%n",
            count(database, "select count(*) from seat_booking"),
            count(database, "select count(*) from standpipe_run where pipeline = 'ticketing'"));
      } finally {
        execute(database.getConnection(), "drop table seat_booking");
      }
    }
  }

  private static void book(Connection connection, String seat) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into seat_booking (seat) values (?)")) {
      insert.setString(1, seat);
      insert.executeUpdate();
    }
  }

  private static void execute(Connection taken, String sql) throws SQLException {
    try (Connection connection = taken;
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(HikariDataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}

package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Standpipe;
import dev.standpipe.StepTransaction;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.Databases;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process whose bodies have their effect in the database: a row for each step and body. */
final class BookingWorker {
  private BookingWorker() {}

  /**
   * Serves the pipeline until it is killed.
   *
   * @param args url, lease in milliseconds, and hold, how long a body takes after its write
   */
  public static void main(String[] args) throws InterruptedException {
    Duration hold = Duration.ofMillis(Long.parseLong(argument(args, "hold")));
    Standpipe.on(Databases.source(argument(args, "url")))
        .serve(flow(hold))
        .concurrency(4)
        .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
        .start();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** Three transactional steps, one after the other. */
  static Pipeline<String, String> flow(Duration hold) {
    return Pipeline.define(
        "bookings",
        String.class,
        String.class,
        flow ->
            flow.input()
                .transactional("one", String.class, (text, tx) -> book(text, tx, hold))
                .retry(Retry.never())
                .transactional("two", String.class, (text, tx) -> book(text, tx, hold))
                .retry(Retry.never())
                .transactional("three", String.class, (text, tx) -> book(text, tx, hold))
                .retry(Retry.never()));
  }

  private static String book(String text, StepTransaction tx, Duration hold)
      throws SQLException, InterruptedException {
    try (PreparedStatement insert =
        tx.connection().prepareStatement("insert into booking (step, token) values (?, ?)")) {
      insert.setString(1, tx.runId() + " " + tx.node());
      insert.setLong(2, tx.token());
      insert.executeUpdate();
    }
    System.out.println("written " + tx.node());
    EngineFixture.pause(hold);
    return text + tx.node().charAt(0);
  }
}

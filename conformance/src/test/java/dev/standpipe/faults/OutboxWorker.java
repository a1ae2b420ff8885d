package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Standpipe;
import dev.standpipe.conformance.server.Databases;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import dev.standpipe.outbox.SinkPolicy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * A process that relays events to a sink, which notes them in a table. Now and then it dies when
 * the sink has taken events and the relay has not noted it yet.
 */
final class OutboxWorker {
  private OutboxWorker() {}

  /**
   * Relays until it dies.
   *
   * @param args url, seed, and in one of how many calls it dies
   */
  public static void main(String[] args) throws InterruptedException {
    DataSource source = Databases.source(argument(args, "url"));
    Random random = new Random(Long.parseLong(argument(args, "seed")));
    int dies = Integer.parseInt(argument(args, "dies"));
    SinkPolicy policy =
        SinkPolicy.standard()
            .withBatch(20)
            .withTimeout(Duration.ofMillis(500)) // the lease of a slot is three times that, and 5 s
            .withPauses(Duration.ofMillis(10), Duration.ofMillis(100))
            .withMaxTries(1000);
    Sink sink =
        Sink.of(
            "received",
            policy,
            events -> {
              note(source, events);
              synchronized (random) {
                if (dies > 0 && random.nextInt(dies) == 0) {
                  Runtime.getRuntime().halt(9);
                }
              }
            });
    Standpipe.on(source).sink(sink).start();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static void note(DataSource source, List<OutboxEvent> events) throws SQLException {
    try (Connection connection = source.getConnection()) {
      try (Statement statement = connection.createStatement()) {
        if (connection.getMetaData().getURL().startsWith("jdbc:sqlite")) {
          statement.execute("pragma busy_timeout = 30000");
        }
      }
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement(
              "insert into received (id, subject, payload) values (?, ?, ?)")) {
        for (OutboxEvent event : events) {
          insert.setString(1, event.id().toString());
          insert.setString(2, event.subject());
          insert.setString(3, event.payload());
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();
    }
  }
}

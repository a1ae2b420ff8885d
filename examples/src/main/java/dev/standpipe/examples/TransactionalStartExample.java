package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.error.UnknownRunException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A run started as part of the caller's own transaction: the row of the new customer and the run
 * that welcomes them are both there, or neither is. No outbox, no two-phase commit.
 */
public final class TransactionalStartExample {
  private TransactionalStartExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> welcome =
        Pipeline.define(
            "welcome",
            String.class,
            String.class,
            flow -> flow.input().step("greet", String.class, name -> "Welcome, " + name));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(welcome).start()) {
      createTable(database);

      Run<String> undone = signUp(database, standpipe, welcome, "Ada", false);
      try {
        undone.status();
      } catch (UnknownRunException e) {
        System.out.println("rolled back: no such run");
      }

      Run<String> done = signUp(database, standpipe, welcome, "Grace", true);
      System.out.println("committed: " + done.await(ofMinutes(1)));
    }
  }

  private static Run<String> signUp(
      DataSource database,
      Standpipe standpipe,
      Pipeline<String, String> welcome,
      String name,
      boolean commit)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("insert into customer (name) values (?)")) {
        insert.setString(1, name);
        insert.executeUpdate();
      }
      Run<String> run = standpipe.start(connection, welcome, name, RunOptions.none());
      if (commit) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return run;
    }
  }

  private static void createTable(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists customer (name varchar(100) not null)");
    }
  }
}

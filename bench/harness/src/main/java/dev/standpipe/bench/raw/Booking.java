package dev.standpipe.bench.raw;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What the steps of the workload {@code transactional} write for themselves. */
public final class Booking {
  /** Their table. */
  public static final String TABLE =
      "create table if not exists booking (id bigserial primary key, amount integer not null)";

  private static final String ADD = "insert into booking (amount) values (?)";

  private Booking() {}

  /** Writes one. */
  public static void add(Connection connection, int amount) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ADD)) {
      statement.setInt(1, amount);
      statement.executeUpdate();
    }
  }
}

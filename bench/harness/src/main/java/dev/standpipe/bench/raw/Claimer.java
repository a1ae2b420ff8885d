package dev.standpipe.bench.raw;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Claims tasks, on a connection of its own. Not thread-safe. */
final class Claimer implements AutoCloseable {
  private final Connection connection;
  private final PreparedStatement claim;
  private final UUID owner;

  Claimer(Connection connection, UUID owner) throws SQLException {
    this.connection = connection;
    this.claim = connection.prepareStatement(Sql.CLAIM.text());
    this.owner = owner;
  }

  List<Held> claim(int limit) throws SQLException {
    claim.setObject(1, owner);
    claim.setInt(2, limit);
    List<Held> claimed = new ArrayList<>(limit);
    try (ResultSet row = claim.executeQuery()) {
      while (row.next()) {
        claimed.add(
            new Held(
                row.getObject("run_id", UUID.class),
                row.getLong("id"),
                row.getLong("token"),
                row.getString("node"),
                row.getInt("idx"),
                row.getString("value")));
      }
    }
    return claimed;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

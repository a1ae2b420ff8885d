package dev.standpipe.bench.raw;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Commits steps that hand their task on or end their run. */
final class ChainSettler implements Settler {
  private final Connection connection;
  private final PreparedStatement settle;
  private final UUID owner;

  ChainSettler(Connection connection, UUID owner) throws SQLException {
    this.connection = connection;
    this.settle = connection.prepareStatement(Sql.SETTLE_CHAIN.text());
    this.owner = owner;
  }

  @Override
  public List<Held> settle(List<Outcome> outcomes) throws SQLException {
    new Columns(settle)
        .add("uuid", outcomes, o -> o.held().run())
        .add("int8", outcomes, o -> o.held().task())
        .add("int8", outcomes, o -> o.held().token())
        .add("text", outcomes, o -> o.held().node())
        .add("text", outcomes, Outcome::next)
        .add("text", outcomes, Outcome::value)
        .add(owner, 4);
    try (ResultSet row = settle.executeQuery()) {
      row.next();
      if (row.getInt(1) != outcomes.size()) {
        throw new IllegalStateException("Tasks were taken away, and nobody is here to do so");
      }
    }
    return outcomes.stream().flatMap(o -> o.successors().stream()).toList();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

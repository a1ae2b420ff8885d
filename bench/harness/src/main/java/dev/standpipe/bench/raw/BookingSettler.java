package dev.standpipe.bench.raw;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Commits each step in a transaction of its own, with a row that its body writes. */
final class BookingSettler implements Settler {
  private final Connection connection;
  private final ChainSettler settler;

  BookingSettler(Connection connection, UUID owner) throws SQLException {
    this.connection = connection;
    this.settler = new ChainSettler(connection, owner);
    connection.setAutoCommit(false);
  }

  @Override
  public List<Held> settle(List<Outcome> outcomes) throws SQLException {
    List<Held> next = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      Booking.add(connection, Integer.parseInt(outcome.value()));
      next.addAll(settler.settle(List.of(outcome)));
      connection.commit();
    }
    return next;
  }

  @Override
  public void close() throws SQLException {
    settler.close();
  }
}

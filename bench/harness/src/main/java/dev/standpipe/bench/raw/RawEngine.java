package dev.standpipe.bench.raw;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Engine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The bare loop on one database, or only what starts runs for it. */
record RawEngine(HikariDataSource source, Bodies bodies, Optional<RawLoop> loop) implements Engine {
  @Override
  public void start(int run) throws SQLException {
    startAll(run, 1);
  }

  @Override
  public void startAll(int first, int count) throws SQLException {
    UUID[] ids = IntStream.range(0, count).mapToObj(i -> newId()).toArray(UUID[]::new);
    String[] inputs =
        IntStream.range(first, first + count).mapToObj(bodies::input).toArray(String[]::new);
    try (Connection connection = source.getConnection();
        PreparedStatement start = connection.prepareStatement(Sql.START.text())) {
      start.setArray(1, connection.createArrayOf("uuid", ids));
      start.setArray(2, connection.createArrayOf("text", inputs));
      start.setString(3, bodies.first());
      start.executeUpdate();
    }
  }

  /** In the order of time, like Standpipe's: version 7. */
  private static UUID newId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long most = System.currentTimeMillis() << 16 | 0x7000 | random.nextInt(0x1000);
    return new UUID(most, random.nextLong() >>> 2 | Long.MIN_VALUE);
  }

  @Override
  public void call(int run) {
    throw new UnsupportedOperationException("Nobody waits for a bare loop");
  }

  @Override
  public boolean drained() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select 1 from raw_task limit 1")) {
      return !row.next();
    }
  }

  @Override
  public void close() {
    loop.ifPresent(RawLoop::close);
    source.close();
  }
}

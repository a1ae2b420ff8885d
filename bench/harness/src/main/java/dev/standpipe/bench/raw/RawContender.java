package dev.standpipe.bench.raw;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Child;
import dev.standpipe.bench.contract.Contender;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import dev.standpipe.bench.contract.Trial;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The practical limit. */
public final class RawContender implements Contender {
  private static final Set<Shape.Kind> WRITTEN =
      EnumSet.of(Shape.Kind.CHAIN, Shape.Kind.FAN, Shape.Kind.DIAMOND, Shape.Kind.BOOKINGS);

  /** Serves the orchestrator. */
  public static void main(String[] args) throws IOException {
    Child.main(new RawContender());
  }

  @Override
  public String name() {
    return "raw";
  }

  @Override
  public String version() {
    return "as of this commit";
  }

  @Override
  public String configuration() {
    return "A bare SQL loop with the same rows, fencing and durability and no engine: one claimer"
        + " and two committers, each with a connection of its own, batches of 200, every successor"
        + " handed over in the commit of its predecessor. No graph, no retries, no reaper, no"
        + " codec, nothing to wait on: the practical limit, not a product.";
  }

  @Override
  public Optional<String> cannot(Trial.Kind trial, Shape shape) {
    if (trial == Trial.Kind.LATENCY) {
      return Optional.of("no caller can wait for a bare loop");
    }
    return WRITTEN.contains(shape.kind())
        ? Optional.empty()
        : Optional.of("no graph: only chain, fan, diamond and transactional are written out");
  }

  @Override
  public Engine client(String url, Shape shape) throws SQLException {
    HikariDataSource source = pool(url);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(Sql.TABLES.text());
      statement.execute(Booking.TABLE);
    }
    return new RawEngine(source, new Bodies(shape, new Tally()), Optional.empty());
  }

  @Override
  public Engine worker(String url, Shape shape, Tally tally, Settings settings) {
    Bodies bodies = new Bodies(shape, tally);
    RawLoop loop = new RawLoop(url, bodies);
    loop.start();
    return new RawEngine(pool(url), bodies, Optional.of(loop));
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }
}

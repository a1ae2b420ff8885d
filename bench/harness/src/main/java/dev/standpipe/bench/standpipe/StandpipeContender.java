package dev.standpipe.bench.standpipe;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.bench.contract.Child;
import dev.standpipe.bench.contract.Contender;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import dev.standpipe.bench.contract.Trial;
import dev.standpipe.bench.raw.Booking;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Standpipe with nothing tuned. */
public final class StandpipeContender implements Contender {
  private static final Duration QUICK_LEASE = Duration.ofSeconds(2);
  private static final int CONNECTIONS = 12;

  /** Serves the orchestrator. */
  public static void main(String[] args) throws IOException {
    Child.main(new StandpipeContender());
  }

  @Override
  public String name() {
    return "standpipe";
  }

  @Override
  public String version() {
    return Optional.ofNullable(Standpipe.class.getPackage().getImplementationVersion())
        .orElse("0.1.0-SNAPSHOT");
  }

  @Override
  public String configuration() {
    return "All settings as they come: Standpipe.on(dataSource).serve(pipeline).start(), HikariCP"
        + " with 12 connections. Every run and every step's result is kept. Latency is"
        + " start(..).await(..). Recovery tuned: lease(2 s); the default is 15 s.";
  }

  @Override
  public Optional<String> cannot(Trial.Kind trial, Shape shape) {
    return shape.bytes() > 0 && shape.joins()
        ? Optional.of("not written: only chains have payloads")
        : Optional.empty();
  }

  @Override
  public Engine client(String url, Shape shape) throws SQLException {
    HikariDataSource source = pool(url);
    if (shape.kind() == Shape.Kind.BOOKINGS) {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(Booking.TABLE);
      }
    }
    return engine(source, Standpipe.on(source), shape, new Tally(), false);
  }

  @Override
  public Engine worker(String url, Shape shape, Tally tally, Settings settings) {
    HikariDataSource source = pool(url);
    StandpipeBuilder builder = Standpipe.on(source);
    if (settings.quickRecovery()) {
      builder.lease(QUICK_LEASE);
    }
    return engine(source, builder, shape, tally, true);
  }

  @Override
  public Engine workerBeside(String url, Shape shape, Tally tally, Beside beside) {
    HikariDataSource source = pool(url);
    StandpipeBuilder builder = Standpipe.on(source);
    Pipelines.idle(beside.pipelines()).forEach(builder::serve);
    Pipelines.schedules(beside.schedules()).forEach(builder::schedule);
    if (shape.kind() == Shape.Kind.EVENTS) {
      builder.sink(Sink.of("tally", events -> tally(events, tally)));
    }
    return engine(source, builder, shape, tally, true);
  }

  private static void tally(List<OutboxEvent> events, Tally tally) throws InterruptedException {
    for (OutboxEvent event : events) {
      tally.step(event.payload().length());
    }
  }

  private static Engine engine(
      HikariDataSource source, StandpipeBuilder builder, Shape shape, Tally tally, boolean serve) {
    if (shape.bytes() == 0) {
      var pipeline = Pipelines.ofNumbers(shape, tally);
      Standpipe standpipe = serve ? builder.serve(pipeline).start() : builder.start();
      return new StandpipeEngine<>(source, standpipe, pipeline, run -> run);
    }
    var pipeline = Pipelines.ofTexts(shape, tally);
    Standpipe standpipe = serve ? builder.serve(pipeline).start() : builder.start();
    return new StandpipeEngine<>(
        source, standpipe, pipeline, run -> Payload.first(run, shape.bytes()));
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }
}

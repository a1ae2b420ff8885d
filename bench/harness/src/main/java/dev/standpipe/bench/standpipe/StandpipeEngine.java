package dev.standpipe.bench.standpipe;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.bench.contract.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Standpipe on one database with one pipeline.
 *
 * @param source its connections
 * @param standpipe it
 * @param pipeline the pipeline
 * @param input the input of each run
 */
record StandpipeEngine<T>(
    HikariDataSource source, Standpipe standpipe, Pipeline<T, T> pipeline, IntFunction<T> input)
    implements Engine {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String DRAINED =
      "select 1 where exists (select 1 from standpipe_task) or exists (select 1 from standpipe_outbox)";

  @Override
  public void start(int run) {
    standpipe.start(pipeline, input.apply(run));
  }

  @Override
  public void startAll(int first, int count) {
    List<T> inputs = IntStream.range(first, first + count).mapToObj(input).toList();
    standpipe.startAll(pipeline, inputs);
  }

  @Override
  public void call(int run) throws InterruptedException {
    standpipe.start(pipeline, input.apply(run)).await(PATIENCE);
  }

  @Override
  public boolean drained() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(DRAINED)) {
      return !row.next();
    }
  }

  @Override
  public void close() {
    standpipe.close();
    source.close();
  }
}

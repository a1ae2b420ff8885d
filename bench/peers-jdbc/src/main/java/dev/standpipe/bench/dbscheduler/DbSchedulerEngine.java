package dev.standpipe.bench.dbscheduler;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** db-scheduler on one database. */
record DbSchedulerEngine(
    HikariDataSource source, SchedulerClient client, Shape shape, Tally tally, Runnable stopping)
    implements Engine {
  @Override
  public void start(int run) {
    if (!client.scheduleIfNotExists(instance(run), Instant.now())) {
      throw new IllegalStateException("Run " + run + " is there already");
    }
  }

  @Override
  public void startAll(int first, int count) {
    List<TaskInstance<?>> instances =
        IntStream.range(first, first + count).<TaskInstance<?>>mapToObj(this::instance).toList();
    client.scheduleBatch(instances, Instant.now());
  }

  private TaskInstance<String> instance(int run) {
    String value = shape.bytes() == 0 ? Integer.toString(run) : Payload.first(run, shape.bytes());
    return new TaskInstance<>(StepTasks.name(0), Integer.toString(run), value);
  }

  @Override
  public void call(int run) throws Exception {
    tally.awaitEnd(run, () -> start(run));
  }

  @Override
  public boolean drained() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select 1 from scheduled_tasks limit 1")) {
      return !row.next();
    }
  }

  @Override
  public void close() {
    stopping.run();
    source.close();
  }
}

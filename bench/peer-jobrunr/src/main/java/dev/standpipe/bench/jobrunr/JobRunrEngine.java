package dev.standpipe.bench.jobrunr;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.JobRequestScheduler;

/** JobRunr on one database. */
record JobRunrEngine(
    HikariDataSource source, JobRequestScheduler scheduler, Shape shape, Tally tally)
    implements Engine {
  @Override
  public void start(int run) {
    scheduler.enqueue(request(run));
  }

  @Override
  public void startAll(int first, int count) {
    scheduler.enqueue(IntStream.range(first, first + count).mapToObj(this::request));
  }

  private StepRequest request(int run) {
    String value = shape.bytes() == 0 ? Integer.toString(run) : Payload.first(run, shape.bytes());
    return new StepRequest(run, 0, value);
  }

  @Override
  public void call(int run) throws Exception {
    tally.awaitEnd(run, () -> start(run));
  }

  @Override
  public boolean drained() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select 1 from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING') limit 1")) {
      return !row.next();
    }
  }

  @Override
  public void close() {
    JobRunr.destroy();
    source.close();
  }
}

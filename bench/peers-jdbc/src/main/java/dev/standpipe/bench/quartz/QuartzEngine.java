package dev.standpipe.bench.quartz;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/** Quartz on one database. */
record QuartzEngine(
    HikariDataSource source, Scheduler scheduler, JobDetail job, Shape shape, Tally tally)
    implements Engine {
  static final JobKey JOB = JobKey.jobKey("step");
  static final String RUN = "run";
  static final String STEP = "step";
  static final String VALUE = "value";

  @Override
  public void start(int run) throws SchedulerException {
    scheduler.scheduleJob(trigger(run, 0, first(run)));
  }

  @Override
  public void startAll(int first, int count) throws SchedulerException {
    Set<Trigger> triggers =
        IntStream.range(first, first + count)
            .mapToObj(run -> trigger(run, 0, first(run)))
            .collect(Collectors.toSet());
    scheduler.scheduleJobs(Map.of(job, triggers), true);
  }

  private String first(int run) {
    return shape.bytes() == 0 ? Integer.toString(run) : Payload.first(run, shape.bytes());
  }

  static Trigger trigger(int run, int step, String value) {
    return TriggerBuilder.newTrigger()
        .withIdentity(run + "-" + step)
        .forJob(JOB)
        .usingJobData(RUN, Integer.toString(run))
        .usingJobData(STEP, Integer.toString(step))
        .usingJobData(VALUE, value)
        .startNow()
        .build();
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
                "select 1 from qrtz_triggers union all select 1 from qrtz_fired_triggers limit 1")) {
      return !row.next();
    }
  }

  @Override
  public void close() {
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    } finally {
      source.close();
    }
  }
}

package dev.standpipe.bench.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Child;
import dev.standpipe.bench.contract.Contender;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import dev.standpipe.bench.contract.Trial;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** db-scheduler, polling by lock-and-fetch. */
public final class DbSchedulerContender implements Contender {
  private static final int THREADS = 16;
  private static final double LOWER = 4;
  private static final double UPPER = 20;
  private static final Duration POLLING = Duration.ofMillis(10);
  private static final Duration QUICK_HEARTBEAT = Duration.ofSeconds(1);
  private static final int QUICK_MISSED = 4;

  /** Serves the orchestrator. */
  public static void main(String[] args) throws IOException {
    Child.main(new DbSchedulerContender());
  }

  @Override
  public String name() {
    return "db-scheduler";
  }

  @Override
  public String version() {
    return "16.12.0";
  }

  @Override
  public String configuration() {
    return "pollUsingLockAndFetch(4.0, 20.0), 16 threads, HikariCP with 20 connections, polling"
        + " every 10 ms, immediate execution on. A chain is a task for each step, the next put in"
        + " place of the last when it completes (OnCompleteReplace). Finished tasks are deleted: it"
        + " keeps neither results nor history. A caller has nothing to wait for; latency ends"
        + " when a listener in the same JVM hears that the last step's completion is committed. Recovery"
        + " tuned: heartbeats every second, dead after 4, the least it allows.";
  }

  @Override
  public Optional<String> cannot(Trial.Kind trial, Shape shape) {
    return shape.joins()
        ? Optional.of("no fan-in: a task cannot wait for several others")
        : Optional.empty();
  }

  @Override
  public Engine client(String url, Shape shape) throws SQLException {
    HikariDataSource source = pool(url);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(tables());
    }
    SchedulerClient client = SchedulerClient.Builder.create(source).build();
    return new DbSchedulerEngine(source, client, shape, new Tally(), () -> {});
  }

  @Override
  public Engine worker(String url, Shape shape, Tally tally, Settings settings) {
    HikariDataSource source = pool(url);
    SchedulerBuilder builder =
        Scheduler.create(source, StepTasks.of(shape, tally))
            .threads(THREADS)
            .pollUsingLockAndFetch(LOWER, UPPER)
            .pollingInterval(POLLING)
            .enableImmediateExecution()
            .addSchedulerListener(new Completions(shape, tally));
    if (settings.quickRecovery()) {
      builder.heartbeatInterval(QUICK_HEARTBEAT).missedHeartbeatsLimit(QUICK_MISSED);
    }
    Scheduler scheduler = builder.build();
    scheduler.start();
    return new DbSchedulerEngine(source, scheduler, shape, tally, scheduler::stop);
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(20);
    return new HikariDataSource(config);
  }

  private static String tables() {
    try (InputStream in = DbSchedulerContender.class.getResourceAsStream("tables.sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

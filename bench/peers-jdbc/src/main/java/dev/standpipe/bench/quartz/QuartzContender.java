package dev.standpipe.bench.quartz;

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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz with its clustered JDBC store. */
public final class QuartzContender implements Contender {
  private static final int THREADS = 10;
  private static final int BATCH = 10;
  private static final AtomicInteger SOURCES = new AtomicInteger();

  /** Serves the orchestrator. */
  public static void main(String[] args) throws IOException {
    Child.main(new QuartzContender());
  }

  @Override
  public String name() {
    return "quartz";
  }

  @Override
  public String version() {
    return "2.5.2";
  }

  @Override
  public String configuration() {
    return "JobStoreTX with PostgreSQLDelegate, isClustered=true, threadCount=10 (its default),"
        + " batchTriggerAcquisitionMaxCount=10 with acquireTriggersWithinLock=true, HikariCP with"
        + " 20 connections; more threads only wait for its lock table. A run is a trigger of one durable job with requestRecovery; a chain's"
        + " job schedules a trigger for the next step before it returns, in a transaction of its"
        + " own: a crash in between runs the rest twice. Fired triggers are deleted: it keeps"
        + " neither results nor history. Latency ends with the last body, in the same JVM. Recovery"
        + " tuned: clusterCheckinInterval=1000; the default is 7500.";
  }

  @Override
  public Optional<String> cannot(Trial.Kind trial, Shape shape) {
    return shape.joins()
        ? Optional.of("no fan-in: a job cannot wait for several others")
        : Optional.empty();
  }

  @Override
  public Engine client(String url, Shape shape) throws Exception {
    HikariDataSource source = pool(url);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      if (!hasTables(statement)) {
        statement.execute(tables());
      }
    }
    return engine(source, shape, new Tally(), Settings.USUAL);
  }

  @Override
  public Engine worker(String url, Shape shape, Tally tally, Settings settings) throws Exception {
    QuartzEngine engine = engine(pool(url), shape, tally, settings);
    engine.scheduler().start();
    return engine;
  }

  private static QuartzEngine engine(
      HikariDataSource source, Shape shape, Tally tally, Settings settings)
      throws SchedulerException {
    String name = "bench-" + SOURCES.getAndIncrement();
    DBConnectionManager.getInstance().addConnectionProvider(name, new Pooled(source));
    Scheduler scheduler = new StdSchedulerFactory(properties(name, settings)).getScheduler();
    scheduler.setJobFactory((bundle, s) -> new StepJob(shape, tally));
    JobDetail job =
        JobBuilder.newJob(StepJob.class)
            .withIdentity(QuartzEngine.JOB)
            .storeDurably()
            .requestRecovery()
            .build();
    if (!scheduler.checkExists(QuartzEngine.JOB)) {
      scheduler.addJob(job, true);
    }
    return new QuartzEngine(source, scheduler, job, shape, tally);
  }

  private static Properties properties(String source, Settings settings) {
    Properties properties = new Properties();
    properties.setProperty("org.quartz.scheduler.instanceName", "bench");
    properties.setProperty("org.quartz.scheduler.instanceId", "AUTO");
    properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
    properties.setProperty(
        "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(BATCH));
    properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.setProperty("org.quartz.threadPool.threadCount", Integer.toString(THREADS));
    properties.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    properties.setProperty(
        "org.quartz.jobStore.driverDelegateClass",
        "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
    properties.setProperty("org.quartz.jobStore.useProperties", "true");
    properties.setProperty("org.quartz.jobStore.dataSource", source);
    properties.setProperty("org.quartz.jobStore.isClustered", "true");
    properties.setProperty("org.quartz.jobStore.acquireTriggersWithinLock", "true");
    if (settings.quickRecovery()) {
      properties.setProperty("org.quartz.jobStore.clusterCheckinInterval", "1000");
    }
    return properties;
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(20);
    return new HikariDataSource(config);
  }

  private static boolean hasTables(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("select to_regclass('qrtz_triggers')")) {
      return row.next() && row.getString(1) != null;
    }
  }

  /** As Quartz brings them. */
  private static String tables() {
    String file = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
    try (InputStream in = Scheduler.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hands out a pool's connections. */
  private record Pooled(HikariDataSource source) implements ConnectionProvider {
    @Override
    public Connection getConnection() throws SQLException {
      return source.getConnection();
    }

    @Override
    public void shutdown() {
      source.close();
    }

    @Override
    public void initialize() {
      // the pool is ready
    }
  }
}

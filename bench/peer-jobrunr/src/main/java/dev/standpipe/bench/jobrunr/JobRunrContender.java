package dev.standpipe.bench.jobrunr;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.bench.contract.Child;
import dev.standpipe.bench.contract.Contender;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import dev.standpipe.bench.contract.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/** JobRunr, the open-source edition. */
public final class JobRunrContender implements Contender {
  private static final Duration POLLING = Duration.ofSeconds(5);
  private static final Duration USUAL_POLLING = Duration.ofSeconds(15);
  private static final int WORKERS = 16;

  /** Serves the orchestrator. */
  public static void main(String[] args) throws IOException {
    Child.main(new JobRunrContender());
  }

  @Override
  public String name() {
    return "jobrunr";
  }

  @Override
  public String version() {
    return "8.7.0 (open source)";
  }

  @Override
  public String configuration() {
    return "PostgresStorageProvider, Jackson 2, 16 workers (its default here: 8 per processor),"
        + " HikariCP with 20 connections, polling every 5 s, the least it allows: a worker that"
        + " gets idle asks for more at once, but a job for idle workers waits for the poll. A run"
        + " is a JobRequest; a chain's job enqueues the next one before it returns, in a"
        + " transaction of its own: a crash in between runs the rest twice. Latency ends with the"
        + " last body, in the same JVM. A dead server is noticed after 4 polls: by default of"
        + " 15 s, tuned of 5 s.";
  }

  @Override
  public Optional<String> cannot(Trial.Kind trial, Shape shape) {
    return shape.joins()
        ? Optional.of("no fan-in in the open-source edition: batches are in JobRunr Pro")
        : Optional.empty();
  }

  @Override
  public Engine client(String url, Shape shape) {
    HikariDataSource source = pool(url);
    Tally tally = new Tally();
    var initialized = configure(source, shape, tally).initialize();
    return new JobRunrEngine(source, initialized.getJobRequestScheduler(), shape, tally);
  }

  @Override
  public Engine worker(String url, Shape shape, Tally tally, Settings settings) {
    HikariDataSource source = pool(url);
    // The shortest is the best for everything but for showing what the default is.
    Duration polling = settings.defaultRecovery() ? USUAL_POLLING : POLLING;
    var server =
        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
            .andWorkerCount(WORKERS)
            .andPollInterval(polling)
            .andInterruptJobsAwaitDurationOnStopBackgroundJobServer(Duration.ofSeconds(1));
    var initialized = configure(source, shape, tally).useBackgroundJobServer(server).initialize();
    return new JobRunrEngine(source, initialized.getJobRequestScheduler(), shape, tally);
  }

  private static JobRunrConfiguration configure(HikariDataSource source, Shape shape, Tally tally) {
    StepHandler.bind(shape, tally);
    return JobRunr.configure()
        .useJsonMapper(new JacksonJsonMapper())
        .useStorageProvider(new PostgresStorageProvider(source));
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(20);
    return new HikariDataSource(config);
  }
}

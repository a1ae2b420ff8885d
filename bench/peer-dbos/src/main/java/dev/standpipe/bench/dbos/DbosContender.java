package dev.standpipe.bench.dbos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.standpipe.bench.contract.Child;
import dev.standpipe.bench.contract.Contender;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import dev.standpipe.bench.contract.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** DBOS Transact for Java. */
public final class DbosContender implements Contender {
  private static final int WORKFLOWS = 50;
  private static final int PARENTS = 16;
  private static final int CONNECTIONS = 20;
  private static final Duration POLLING = Duration.ofMillis(10);

  /** Serves the orchestrator. */
  public static void main(String[] args) throws IOException {
    Child.main(new DbosContender());
  }

  @Override
  public String name() {
    return "dbos";
  }

  @Override
  public String version() {
    return DBOS.version();
  }

  @Override
  public String configuration() {
    return "Workflows of one step or five (runStep), enqueued on a queue with worker concurrency"
        + " 50, polled every 10 ms, HikariCP with 20 connections. Fan and diamond are workflows"
        + " that start a child workflow for each branch and wait for all, 16 at once. Latency is"
        + " startWorkflow(..).getResult() without a queue. There is no bulk start: a backlog is"
        + " enqueued from 8 threads.";
  }

  @Override
  public Optional<String> cannot(Trial.Kind trial, Shape shape) {
    if (shape.kind() == Shape.Kind.LANES) {
      return Optional.of("not written: 10,000 steps would be one program, not a graph");
    }
    return trial == Trial.Kind.SERVE
        ? Optional.of("a dead executor's workflows need Conductor, or its restart")
        : Optional.empty();
  }

  @Override
  public Engine client(String url, Shape shape) {
    return open(url, shape, new Tally(), false);
  }

  @Override
  public Engine worker(String url, Shape shape, Tally tally, Settings settings) {
    return open(url, shape, tally, true);
  }

  private static DbosEngine open(String url, Shape shape, Tally tally, boolean listen) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(CONNECTIONS);
    HikariDataSource source = new HikariDataSource(pool);
    Queue queue =
        new Queue("bench")
            .withWorkerConcurrency(shape.joins() ? PARENTS : WORKFLOWS)
            .withPollingInterval(POLLING);
    DBOS dbos =
        new DBOS(
            DBOSConfig.defaults("bench")
                .withDataSource(source)
                .withAppVersion("bench")
                .withListenQueues(listen ? "bench" : "none"));
    dbos.registerQueue(queue);
    Flows flows = new StepFlows(dbos, tally);
    Flows proxy = dbos.registerProxy(Flows.class, flows);
    flows.use(proxy);
    dbos.launch();
    return new DbosEngine(source, dbos, queue, proxy, shape);
  }
}

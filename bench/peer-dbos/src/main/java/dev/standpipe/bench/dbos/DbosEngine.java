package dev.standpipe.bench.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.execution.ThrowingSupplier;
import dev.dbos.transact.workflow.Queue;
import dev.standpipe.bench.contract.Engine;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** DBOS on one database. */
record DbosEngine(HikariDataSource source, DBOS dbos, Queue queue, Flows flows, Shape shape)
    implements Engine {
  private static final int STARTERS = 8;

  @Override
  public void start(int run) {
    dbos.startWorkflow(workflow(run), new StartWorkflowOptions().withQueue(queue));
  }

  @Override
  public void startAll(int first, int count) throws Exception {
    ExecutorService starters = Executors.newFixedThreadPool(STARTERS);
    try {
      List<Future<?>> starts = new ArrayList<>(count);
      for (int run = first; run < first + count; run++) {
        int one = run;
        starts.add(starters.submit(() -> start(one)));
      }
      for (Future<?> start : starts) {
        start.get();
      }
    } finally {
      starters.shutdownNow();
    }
  }

  private ThrowingSupplier<Object, InterruptedException> workflow(int run) {
    return switch (shape.kind()) {
      case CHAIN, CALLS -> // its steps are calls inside of a body
          shape.bytes() == 0
              ? () -> flows.chain(run, shape.size())
              : () -> flows.textChain(Payload.first(run, shape.bytes()), shape.size());
      case FAN, DIAMOND -> () -> flows.fan(run, shape.size());
      case LANES, LOOP, BOOKINGS, EVENTS ->
          throw new IllegalArgumentException("Not written here: " + shape);
    };
  }

  @Override
  public void call(int run) throws InterruptedException {
    dbos.startWorkflow(workflow(run)).getResult();
  }

  @Override
  public boolean drained() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select 1 from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')"
                    + " limit 1")) {
      return !row.next();
    }
  }

  @Override
  public void close() {
    dbos.shutdown();
    source.close();
  }
}

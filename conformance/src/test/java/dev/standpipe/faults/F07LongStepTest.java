package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.spi.Event.LeaseLost;
import dev.standpipe.spi.Event.ProcessReaped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** F7: a step runs for ten leases. Its process keeps its lease, and nobody takes the step. */
class F07LongStepTest {
  /** A sixth of it passes between beats and a fifth is not trusted: the machine may stall a bit. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final int LEASES = Soak.count("leases", 10, 100);
  private static final int TRIES = 3;

  /** A disk that stalls for most of a lease proves nothing, but it does not do so every time. */
  @Test
  void aStepThatRunsForTenLeasesIsNeverReclaimed() {
    for (int tries = 1; !isUndisturbed(); tries++) {
      assertThat(tries).as("times that a lease could not be renewed").isLessThan(TRIES);
    }
  }

  /** At the same time on both databases, which spares half of the wait. */
  private static boolean isUndisturbed() {
    try (SqliteFile file = SqliteFile.create();
        LongStep onPostgres = new LongStep(PostgresServer.hasty().freshDatabase());
        LongStep onSqlite = new LongStep(file.dataSource())) {
      return onPostgres.isUndisturbed() && onSqlite.isUndisturbed();
    }
  }

  private static final class LongStep implements AutoCloseable {
    private final AtomicInteger bodies = new AtomicInteger();
    private final Heard holder = new Heard();
    private final Heard other = new Heard();
    private final EngineFixture processes;
    private final Run<String> run;

    LongStep(DataSource source) {
      processes = new EngineFixture(source);
      Pipeline<String, String> pipeline =
          EngineFixture.single(
              "long",
              (text, ctx) -> {
                bodies.incrementAndGet();
                EngineFixture.pause(LEASE.multipliedBy(LEASES));
                return text;
              });
      Standpipe first = processes.start(processes.process(pipeline).lease(LEASE).listener(holder));
      processes.start(processes.process(pipeline).lease(LEASE).listener(other));
      run = first.start(pipeline, "x");
    }

    /** False if the holder itself says that it could not renew in time. */
    boolean isUndisturbed() {
      await()
          .atMost(PATIENCE.plus(LEASE.multipliedBy(LEASES)))
          .until(() -> hasLostItsLease() || run.status().isTerminal());
      if (hasLostItsLease()) {
        return false;
      }
      assertThat(run.result()).contains("x");
      assertThat(bodies.get()).isEqualTo(1);
      assertThat(other.all(ProcessReaped.class)).isEmpty();
      assertThat(processes.query("select count(*) from standpipe_attempt")).containsExactly("0");
      return true;
    }

    private boolean hasLostItsLease() {
      return !holder.all(LeaseLost.class).isEmpty();
    }

    @Override
    public void close() {
      processes.close();
    }
  }
}

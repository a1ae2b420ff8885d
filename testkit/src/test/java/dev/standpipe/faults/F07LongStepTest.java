package dev.standpipe.faults;

import static dev.standpipe.testkit.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.spi.Event.LeaseLost;
import dev.standpipe.spi.Event.ProcessReaped;
import dev.standpipe.testkit.EngineFixture;
import dev.standpipe.testkit.Heard;
import dev.standpipe.testkit.PostgresServer;
import dev.standpipe.testkit.SqliteFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** F7: a step runs for ten leases. Its process keeps its lease, and nobody takes the step. */
class F07LongStepTest {
  /**
   * Nobody is to lose it because a busy machine stalls for seconds: a sixth of it passes between
   * beats, a fifth is not trusted.
   */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final int LEASES = Soak.count("leases", 10, 100);

  /** At the same time on both databases, which spares half of the wait. */
  @Test
  void aStepThatRunsForTenLeasesIsNeverReclaimed() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      List<LongStep> steps = new ArrayList<>();
      steps.add(new LongStep(PostgresServer.shared().freshDatabase()));
      steps.add(new LongStep(file.dataSource()));
      for (LongStep step : steps) {
        step.assertUndisturbed();
      }
    }
  }

  private static final class LongStep {
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

    void assertUndisturbed() throws InterruptedException {
      try (processes) {
        assertThat(run.await(PATIENCE.plus(LEASE.multipliedBy(LEASES)))).isEqualTo("x");
        assertThat(bodies.get()).isEqualTo(1);
        assertThat(holder.all(LeaseLost.class)).isEmpty();
        assertThat(other.all(ProcessReaped.class)).isEmpty();
        assertThat(processes.query("select count(*) from standpipe_attempt")).containsExactly("0");
      }
    }
  }
}

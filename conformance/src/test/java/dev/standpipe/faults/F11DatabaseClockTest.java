package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F11: the database's clock jumps ten minutes ahead and back, and ten minutes behind and back. All
 * leases run out at once, for processes that are alive; to the database that is an outage, after
 * which everybody gets a lease's time. No step has two results for it, and no write with an old
 * token is accepted.
 */
class F11DatabaseClockTest {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(30);
  private static final int ROUNDS = Soak.count("rounds", 1, 50);

  @TempDir private Path directory;

  @Test
  void aClockThatJumpsHarmsNothing() {
    String plain = PostgresServer.shared().freshJdbcUrl();
    installClock(PostgresServer.dataSource(plain));
    String path = "-c search_path=fault,public,pg_catalog";
    String url =
        plain + "&options=" + URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20");
    DataSource source = PostgresServer.dataSource(url);
    try (EngineFixture processes = new EngineFixture(source);
        Workers workers = new Workers(directory)) {
      Standpipe client = processes.client();
      workers.hireReady("first", url, LEASE, PAUSE);
      workers.hireReady("second", url, LEASE, PAUSE);
      String hired = processes.query("select pg_catalog.clock_timestamp()").get(0);
      List<Run<Integer>> runs = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (int minutes : new int[] {10, 0, -10, 0}) {
          runs.addAll(client.startAll(FaultWorker.flowOfClients(), Collections.nCopies(25, 1)));
          workers.awaitAccepted(workers.count(What.ACCEPTED) + 50);
          processes.execute("update fault.skew set by = " + minutes + " * interval '1 minute'");
        }
      }
      workers.assertAllWell(source, runs);
      assertThat(processes.query("select steady_since > '" + hired + "' from standpipe_heartbeat"))
          .as("the clock was seen")
          .containsExactly("t");
    }
  }

  private static void installClock(DataSource source) {
    try (EngineFixture database = new EngineFixture(source)) {
      database.execute("create schema fault");
      database.execute("create table fault.skew (by interval not null)");
      database.execute("insert into fault.skew values (interval '0')");
      database.execute(
          """
          create function fault.clock_timestamp() returns timestamptz language sql volatile as
          'select pg_catalog.clock_timestamp() + by from fault.skew'
          """);
    }
  }
}

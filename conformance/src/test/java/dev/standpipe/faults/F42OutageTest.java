package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F42: the database is away for longer than the lease, a dozen times. Three processes live through
 * it with steps in hand; none of them is taken for dead when it is back.
 */
class F42OutageTest {

  @Test
  void anOutageCountsNoCrashesOnPostgres() throws InterruptedException {
    anOutageCountsNoCrashes(PostgresServer.shared().freshDatabase(), Duration.ofSeconds(1), 12);
  }

  /**
   * Where writers queue for their turn, a busy machine may keep a process from its own for long.
   */
  @Test
  void anOutageCountsNoCrashesOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      anOutageCountsNoCrashes(file.dataSource(), Duration.ofSeconds(3), 2);
    }
  }

  private static void anOutageCountsNoCrashes(DataSource source, Duration lease, int outages)
      throws InterruptedException {
    Valve valve = Valve.before(source);
    Pipeline<String, String> pipeline =
        EngineFixture.single(
            "patient",
            (text, ctx) -> {
              EngineFixture.pause(Duration.ofMillis(100));
              return text;
            });
    List<Heard> heard = Stream.generate(Heard::new).limit(3).toList();
    try (EngineFixture processes = new EngineFixture(valve.dataSource())) {
      for (Heard one : heard) {
        processes.start(
            processes.process(pipeline).concurrency(4).lease(lease).crashLimit(3).listener(one));
      }
      Standpipe client = processes.client();
      List<Run<String>> runs = client.startAll(pipeline, Collections.nCopies(400, "x"));
      for (int outage = 1; outage <= outages; outage++) {
        valve.cut();
        int times = outage;
        await().atMost(PATIENCE).until(() -> heard.stream().allMatch(one -> lost(one) >= times));
        valve.open();
        await().atMost(PATIENCE).until(() -> heard.stream().allMatch(F42OutageTest::isBack));
      }
      assertThat(EngineFixture.await(runs)).containsOnly("x");
      assertThat(EngineFixture.query(source, "select distinct outcome from standpipe_attempt"))
          .as("no try was cut short by somebody else")
          .isEmpty();
      assertThat(heard).allMatch(one -> one.all(Event.ProcessReaped.class).isEmpty());
    }
  }

  private static int lost(Heard heard) {
    return heard.all(Event.LeaseLost.class).size();
  }

  /** Its heart has beaten again since it was lost. */
  private static boolean isBack(Heard heard) {
    long lost = parts(heard.all(Event.DatabaseLost.class).stream().map(Event.DatabaseLost::part));
    long back = parts(heard.all(Event.DatabaseBack.class).stream().map(Event.DatabaseBack::part));
    return back >= lost;
  }

  private static long parts(Stream<String> parts) {
    return parts.filter("heartbeat"::equals).count();
  }
}

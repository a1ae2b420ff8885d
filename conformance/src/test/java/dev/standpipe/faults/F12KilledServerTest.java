package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** F12: the server is killed under load and started again; processes come back by themselves. */
class F12KilledServerTest {
  @Test
  void processesSurviveAKilledServer() throws InterruptedException {
    try (PostgresServer server = PostgresServer.start()) {
      DataSource source = server.freshDatabase();
      try (HikariDataSource small = PostgresServer.pool(source, 3, Duration.ofMillis(250));
          HikariDataSource large = PostgresServer.pool(source, 20, Duration.ofSeconds(5));
          EngineFixture processes = new EngineFixture(large)) {
        List<Heard> heard = List.of(new Heard(), new Heard());
        Pipeline<Integer, Integer> pipeline = threeSteps("three", Duration.ofMillis(5));
        processes.start(processes.process(pipeline).listener(heard.get(0)));
        processes.start(
            Standpipe.on(small)
                .serve(pipeline)
                .grace(Duration.ofSeconds(2))
                .listener(heard.get(1)));
        Standpipe client = processes.client();
        List<Run<Integer>> runs =
            client.startAll(pipeline, IntStream.range(0, 2_000).boxed().toList());
        for (int kill = 0; kill < 2; kill++) {
          int enough = finished(heard) + 200;
          await().atMost(PATIENCE).until(() -> finished(heard) > enough);
          server.kill();
          server.restart();
        }
        assertAllCommittedOnce(processes, runs, heard);
      }
    }
  }

  private static int finished(List<Heard> heard) {
    return heard.stream().mapToInt(one -> one.all(Event.RunFinished.class).size()).sum();
  }

  private static void assertAllCommittedOnce(
      EngineFixture processes, List<Run<Integer>> runs, List<Heard> heard)
      throws InterruptedException {
    for (int i = 0; i < runs.size(); i++) {
      assertThat(runs.get(i).await(PATIENCE)).isEqualTo(i + 3);
    }
    assertThat(
            processes.query(
                "select count(*) from standpipe_result where outcome = 1 and node <> '$input'"))
        .containsExactly("" + 3 * runs.size());
    assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(
            heard.stream()
                .flatMap(one -> one.all(Event.ExecutionSucceeded.class).stream())
                .map(event -> event.step().run() + event.step().node()))
        .doesNotHaveDuplicates();
    assertThat(heard).allMatch(one -> !one.all(Event.DatabaseLost.class).isEmpty());
  }
}

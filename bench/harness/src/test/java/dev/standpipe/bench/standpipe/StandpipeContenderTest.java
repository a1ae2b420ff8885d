package dev.standpipe.bench.standpipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.bench.TestServer;
import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Rehearsal;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Shape.Kind;
import dev.standpipe.bench.contract.Trial;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandpipeContenderTest {
  @Test
  void everyShapeIsDrained() throws Exception {
    assertDrains(Shape.JOB, 100);
    assertDrains(Shape.chain(5), 100);
    assertDrains(Shape.chain(5).withBytes(1_000), 20);
    assertDrains(new Shape(Kind.FAN, 50, 0), 5);
    assertDrains(new Shape(Kind.DIAMOND, 8, 0), 20);
    assertDrains(new Shape(Kind.LANES, 3, 0), 2);
    assertDrains(new Shape(Kind.LOOP, 7, 0), 3);
    assertDrains(new Shape(Kind.CALLS, 4, 0), 3);
    assertDrains(new Shape(Kind.BOOKINGS, 3, 0), 5);
    assertDrains(new Shape(Kind.EVENTS, 100, 0), 3);
  }

  private static void assertDrains(Shape shape, int runs) throws Exception {
    String url = TestServer.emptyDatabase();

    String said = Rehearsal.of(new StandpipeContender(), order(Trial.Kind.DRAIN, url, shape, runs));

    assertThat(said).contains("\"units\":" + runs * shape.steps());
    assertThat(
            TestServer.number(url, "select count(*) from standpipe_run where status = 'succeeded'"))
        .isEqualTo(runs);
  }

  @Test
  void aBusyPipelineIsDrainedBesideIdlePipelines() throws Exception {
    String url = TestServer.emptyDatabase();
    Order order = order(Trial.Kind.DRAIN, url, Shape.JOB, 100).with(Order.IDLE_PIPELINES, 20);

    assertThat(Rehearsal.of(new StandpipeContender(), order)).contains("\"units\":100,");
    assertThat(TestServer.number(url, "select count(*) from standpipe_definition")).isEqualTo(21);
  }

  @Test
  void aBusyPipelineIsDrainedBesideSchedules() throws Exception {
    String url = TestServer.emptyDatabase();
    Order order = order(Trial.Kind.DRAIN, url, Shape.JOB, 100).with(Order.SCHEDULES, 50);

    assertThat(Rehearsal.of(new StandpipeContender(), order)).contains("\"units\":100,");
    assertThat(TestServer.number(url, "select count(*) from standpipe_schedule")).isEqualTo(50);
  }

  @Test
  void latencyIsMeasuredCallByCall() throws Exception {
    Order order = order(Trial.Kind.LATENCY, TestServer.emptyDatabase(), Shape.JOB, 0);

    assertThat(Rehearsal.of(new StandpipeContender(), order.with(Order.CALLS, 10)))
        .contains("\"units\":10,")
        .contains("\"latencies_us\":[");
  }

  @Test
  void aSoakStartsAndDrainsRunsAtOnce() throws Exception {
    Order order = order(Trial.Kind.SOAK, TestServer.emptyDatabase(), Shape.chain(5), 2_000);

    assertThat(Rehearsal.of(new StandpipeContender(), order.with(Order.LIMIT_MS, 1_000)))
        .containsPattern("\"units\":[1-9]")
        .contains("\"windows_per_second\":[]");
  }

  @Test
  void sqliteIsDrained(@TempDir Path directory) throws Exception {
    String url = "jdbc:sqlite:" + directory.resolve("bench.db");

    assertThat(
            Rehearsal.of(
                new StandpipeContender(), order(Trial.Kind.DRAIN, url, Shape.chain(5), 20)))
        .contains("\"units\":100,");
  }

  private static Order order(Trial.Kind trial, String url, Shape shape, int runs) {
    return new Order(trial, url, shape, Map.of()).with(Order.RUNS, runs);
  }
}

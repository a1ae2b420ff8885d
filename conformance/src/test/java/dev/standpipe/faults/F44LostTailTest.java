package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.error.UnknownRunException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F44: an asynchronous replica is promoted that had not got the last of what was committed. Gone
 * are steps that processes believe to have committed, claims they believe to hold, a definition
 * they have registered and a process that has joined.
 */
class F44LostTailTest {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @Test
  void survivingAndNewRunsEndAfterALossyFailover() throws InterruptedException {
    try (PostgresServer primary = PostgresServer.start();
        Wire wire = Wire.to(primary.port())) {
      String plain = primary.freshJdbcUrl();
      DataSource source = PostgresServer.dataSource(wire.through(plain));
      Pipeline<Integer, Integer> early = threeSteps("early", Duration.ofMillis(50));
      Pipeline<String, String> late = single("late", (text, ctx) -> text);
      try (EngineFixture processes = new EngineFixture(source)) {
        Standpipe first = processes.start(processes.process(early).concurrency(16).lease(LEASE));
        Standpipe client = processes.client();
        List<Run<Integer>> survivors =
            client.startAll(early, IntStream.range(0, 100).boxed().toList());
        survivors.get(0).await(PATIENCE);
        try (PostgresServer replica = primary.promotedCopy()) {
          Standpipe second = processes.start(processes.process(late).lease(LEASE));
          List<Run<String>> lost =
              new ArrayList<>(client.startAll(late, Collections.nCopies(20, "lost")));
          lost.add(second.start(late, "lost"));
          assertThat(EngineFixture.await(lost)).containsOnly("lost");
          survivors.get(60).await(PATIENCE);
          wire.leadTo(replica.port());
          wire.cut();
          wire.heal();

          List<Run<String>> runs = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            runs.add(client.start(late, "found"));
            runs.add(second.start(late, "found"));
          }
          runs.addAll(client.startAll(late, Collections.nCopies(20, "found")));
          assertThat(EngineFixture.await(runs)).containsOnly("found");
          assertThat(first.start(early, 7).await(PATIENCE)).isEqualTo(10);
          for (int i = 0; i < survivors.size(); i++) {
            assertThat(survivors.get(i).await(PATIENCE)).isEqualTo(i + 3);
          }
          assertThatExceptionOfType(UnknownRunException.class)
              .isThrownBy(() -> client.run(lost.get(0).id()));
          assertThat(client.doctor()).isEmpty();
        }
      }
    }
  }

  /**
   * A process that has nothing under way when it is moved loses no reply. What it had settled on
   * the old primary is leased to it on the new one all the same.
   */
  @Test
  void anIdleProcessFindsItsLeasesOnTheNewPrimary() throws InterruptedException {
    try (PostgresServer primary = PostgresServer.start();
        Wire wire = Wire.to(primary.port())) {
      CountDownLatch begun = new CountDownLatch(4);
      CountDownLatch mayEnd = new CountDownLatch(1);
      Pipeline<String, String> pipeline =
          single(
              "slow",
              (text, ctx) -> {
                begun.countDown();
                mayEnd.await();
                return text;
              });
      DataSource source = PostgresServer.dataSource(wire.through(primary.freshJdbcUrl()));
      try (EngineFixture processes = new EngineFixture(source)) {
        processes.start(processes.process(pipeline).lease(LEASE));
        Standpipe client = processes.client();
        List<String> texts = List.of("a", "b", "c", "d");
        List<Run<String>> runs = client.startAll(pipeline, texts);
        begun.await();
        try (PostgresServer replica = primary.promotedCopy()) {
          mayEnd.countDown();
          assertThat(EngineFixture.await(runs)).isEqualTo(texts);
          EngineFixture.pause(LEASE);
          wire.leadTo(replica.port());
          wire.cut();
          wire.heal();

          for (int i = 0; i < runs.size(); i++) {
            Run<String> again = client.run(pipeline, runs.get(i).id());
            assertThat(again.await(PATIENCE)).isEqualTo(texts.get(i));
          }
          assertThat(client.doctor()).isEmpty();
        }
      }
    }
  }

  /**
   * Another version of the same pipeline was registered after the failover and has got the lane
   * that processes remember for theirs: it is neither started in nor taken from.
   */
  @Test
  void aReusedLaneIsNotServedAsTheOldDefinition() throws InterruptedException {
    try (PostgresServer primary = PostgresServer.start();
        Wire wire = Wire.to(primary.port())) {
      String plain = primary.freshJdbcUrl();
      DataSource source = PostgresServer.dataSource(wire.through(plain));
      Pipeline<String, String> mine = single("greet", (text, ctx) -> "hello " + text);
      Pipeline<String, String> theirs =
          Pipeline.define(
              "greet",
              String.class,
              String.class,
              flow ->
                  flow.input()
                      .step("other", String.class, (text, ctx) -> "good day " + text)
                      .step("last", String.class, (text, ctx) -> text));
      try (EngineFixture processes = new EngineFixture(source)) {
        Standpipe client = processes.client();
        try (PostgresServer replica = primary.promotedCopy()) {
          Standpipe process = processes.start(processes.process(mine).lease(LEASE));
          assertThat(client.start(mine, "Ann").await(PATIENCE)).isEqualTo("hello Ann");
          String lane =
              processes.query("select id from standpipe_lane where parks_for is null").get(0);
          DataSource promoted =
              PostgresServer.dataSource(
                  plain.replace(":" + primary.port() + "/", ":" + replica.port() + "/"));
          try (EngineFixture others = new EngineFixture(promoted)) {
            others.execute("alter table standpipe_lane alter column id restart with " + lane);
            Run<String> waiting = others.client().start(theirs, "Bob");
            wire.leadTo(replica.port());
            wire.cut();
            wire.heal();

            List<Run<String>> runs = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
              runs.add(client.start(mine, "Ann"));
              runs.add(process.start(mine, "Ann"));
            }
            runs.addAll(client.startAll(mine, Collections.nCopies(20, "Ann")));
            assertThat(EngineFixture.await(runs)).containsOnly("hello Ann");
            assertThat(waiting.status()).isEqualTo(RunStatus.RUNNING);
            others.start(others.process(theirs).lease(LEASE));
            assertThat(waiting.await(PATIENCE)).isEqualTo("good day Bob");
          }
        }
      }
    }
  }
}

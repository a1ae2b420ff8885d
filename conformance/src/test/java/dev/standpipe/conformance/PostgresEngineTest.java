package dev.standpipe.conformance;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresEngineTest extends EngineContract {
  private final List<HikariDataSource> pools = new ArrayList<>();

  @Override
  public DataSource emptyDatabase() {
    return pool(PostgresServer.hasty().freshDatabase());
  }

  @Override
  public DataSource migratedDatabase() {
    return pool(PostgresServer.hasty().migratedDatabase());
  }

  /** As in production: a new connection for every question takes its time. */
  private DataSource pool(DataSource source) {
    HikariDataSource pool = PostgresServer.pool(source, 80, Duration.ofSeconds(30));
    pools.add(pool);
    return pool;
  }

  @AfterEach
  void closePools() {
    engine().close();
    pools.forEach(StoppedRuns::assertListed);
    pools.forEach(StoredStatuses::assertFit);
    pools.forEach(HikariDataSource::close);
  }

  @Test
  void anUnreachableDatabaseIsReportedInTime() throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    DataSource unreachable =
        PostgresServer.dataSource("jdbc:postgresql://localhost:" + nobody + "/x?user=postgres");
    long before = System.nanoTime();
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Standpipe.on(unreachable).connectTimeout(Duration.ofSeconds(2)).start())
        .withMessageContaining("could not be reached within 2 s")
        .withMessageContaining("localhost:" + nobody)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE))
        .satisfies(e -> assertThat(e.code().isRetryable()).isTrue());
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(30));
  }

  @Test
  void aSchemaMayHaveAnyName() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("odd", (text, ctx) -> text);
    for (String schema : List.of("user", "standpipe", "standpipe_run", "select")) {
      try (Standpipe standpipe =
          engine().process(pipeline).schema(schema).tablePrefix("standpipe_test_").start()) {
        assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
        assertThat(standpipe.doctor()).isEmpty();
      }
      assertThat(engine().query("select count(*) from \"" + schema + "\".standpipe_test_run"))
          .containsExactly("1");
    }
  }

  @Test
  void theTablesMayLiveInTheirOwnSchema() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("schema", (text, ctx) -> text);
    Standpipe standpipe = engine().start(engine().process(pipeline).schema("flows"));
    assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
    assertThat(engine().query("select count(*) from flows.standpipe_run")).containsExactly("1");
  }

  @Test
  void aStartWhoseReplyIsLostHappensOnce() throws InterruptedException {
    String url = PostgresServer.shared().freshJdbcUrl();
    Pipeline<String, String> pipeline = EngineFixture.single("once", (text, ctx) -> text);
    try (Wire wire = Wire.to(PostgresServer.shared().port());
        EngineFixture processes = new EngineFixture(PostgresServer.dataSource(wire.through(url)))) {
      Standpipe process = processes.serve(pipeline);
      process.start(pipeline, "first").await(EngineFixture.PATIENCE);
      for (Standpipe starter : List.of(process, processes.client())) {
        wire.swallowReplies("insert into standpipe_run", 1);
        assertThat(starter.start(pipeline, "x").await(EngineFixture.PATIENCE)).isEqualTo("x");
        wire.swallowReplies("insert into standpipe_run", 1);
        List<Run<String>> runs = starter.startAll(pipeline, Collections.nCopies(50, "x"));
        assertThat(EngineFixture.await(runs)).containsOnly("x");
      }
      assertThat(wire.swallowed()).isEqualTo(4);
      assertThat(processes.query("select count(*) from standpipe_run")).containsExactly("103");
    }
  }

  @Test
  void aRefusedLoginIsReportedAtOnce() {
    String url = PostgresServer.shared().freshJdbcUrl().replace("user=postgres", "user=nobody");
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Standpipe.on(PostgresServer.dataSource(url)).start())
        .withMessageContaining("Check user and password");
  }
}

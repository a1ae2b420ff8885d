package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.error.RunFailedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F27: values that cannot be stored, and a task for a node that is not there. Each is a terminal
 * failure of its run with an error that people can read; its neighbours are not harmed.
 */
class F27BadValueTest {
  private static final int LARGE = 100 << 20;

  /** Fails whoever asks what it is. */
  public static final class Unserialisable {
    /** Fails. */
    public String getName() {
      return List.<String>of().iterator().next();
    }
  }

  /** What a body makes, and what the error says of it. */
  private static final Map<String, String> MESSAGES = messages();

  private static Map<String, String> messages() {
    Map<String, String> messages = new LinkedHashMap<>();
    messages.put("nul", "\\u0000");
    messages.put("surrogate", "half a surrogate pair");
    messages.put("large", "over the limit");
    messages.put("unserialisable", "cannot be written as JSON");
    return messages;
  }

  private static Object make(String what) {
    return switch (what) {
      case "nul" -> "before\0after";
      case "surrogate" -> "half \ud83d";
      case "large" -> "x".repeat(LARGE);
      case "unserialisable" -> new Unserialisable();
      default -> what;
    };
  }

  private final Pipeline<String, Object> maker =
      Pipeline.define(
          "maker",
          String.class,
          Object.class,
          flow -> flow.input().step("make", Object.class, F27BadValueTest::make));

  @Test
  void anUnstorableValueHaltsItsRunOnPostgres() throws InterruptedException {
    anUnstorableValueHaltsItsRun(PostgresServer.shared().freshDatabase());
  }

  @Test
  void anUnstorableValueHaltsItsRunOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      anUnstorableValueHaltsItsRun(file.dataSource());
    }
  }

  private void anUnstorableValueHaltsItsRun(DataSource source) throws InterruptedException {
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe standpipe = processes.serve(maker);
      for (Map.Entry<String, String> bad : MESSAGES.entrySet()) {
        Run<Object> good = standpipe.start(maker, "good");
        assertHalted(standpipe.start(maker, bad.getKey()), "make", bad.getValue());
        assertThat(good.await(PATIENCE)).isEqualTo("good");
      }
      assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
    }
  }

  @Test
  void aTaskForAnUnknownNodeHaltsItsRunOnPostgres() throws InterruptedException {
    aTaskForAnUnknownNodeHaltsItsRun(PostgresServer.shared().freshDatabase());
  }

  @Test
  void aTaskForAnUnknownNodeHaltsItsRunOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      aTaskForAnUnknownNodeHaltsItsRun(file.dataSource());
    }
  }

  /** Somebody has edited the tables. */
  private void aTaskForAnUnknownNodeHaltsItsRun(DataSource source) throws InterruptedException {
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      List<Run<Object>> unknownNodeTasks = client.startAll(maker, List.of("1", "2", "3", "4", "5"));
      List<Run<Object>> others = client.startAll(maker, List.of("6", "7", "8"));
      for (Run<Object> stray : unknownNodeTasks) {
        processes.execute(
            "update standpipe_task set node = 'nowhere' where run_id = '" + stray.id() + "'");
      }
      processes.start(processes.process(maker).concurrency(2).lease(Duration.ofSeconds(10)));
      assertThat(EngineFixture.await(others)).containsExactly("6", "7", "8");
      unknownNodeTasks.forEach(stray -> assertHalted(stray, "nowhere", "no node \"nowhere\""));
      assertThat(client.start(maker, "9").await(PATIENCE)).isEqualTo("9");
    }
  }

  private static void assertHalted(Run<?> run, String node, String message) {
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("step \"" + node + "\"")
        .withMessageContaining(message);
    assertThat(run.status()).isEqualTo(RunStatus.HALTED);
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    assertThat(run.attempts()).filteredOn(attempt -> attempt.node().equals(node)).hasSize(1);
  }
}

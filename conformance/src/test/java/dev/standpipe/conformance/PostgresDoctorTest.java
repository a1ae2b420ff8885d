package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.doctor.Doctor.Limits;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.operate.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only PostgreSQL can suffer from. */
class PostgresDoctorTest {
  private final DataSource source = PostgresServer.hasty().freshDatabase();
  private final EngineFixture engine = new EngineFixture(source);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void theDoctorFindsALongTransaction() throws SQLException {
    engine.client();
    assertThat(findings(Duration.ofMillis(100), 10_000)).isEmpty();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set application_name = 'forgetful'");
      await()
          .until(
              () ->
                  findings(Duration.ofMillis(100), 10_000).stream()
                      .anyMatch(
                          found ->
                              found.check().equals("long_transaction")
                                  && found.problem().contains("forgetful")));
      assertThat(findings(Duration.ofHours(1), 10_000)).isEmpty();
      connection.rollback();
    }
  }

  @Test
  void theDoctorFindsATableOfDeadRows() {
    engine.client();
    engine.execute("alter table standpipe_arrival set (autovacuum_enabled = off)");
    engine.execute(
        "insert into standpipe_arrival (run_id, need, remaining, node) select gen_random_uuid(), 1, 1, 'n' from generate_series(1, 200)");
    engine.execute("delete from standpipe_arrival");
    await()
        .until(
            () ->
                findings(Duration.ofHours(1), 100).stream()
                    .anyMatch(found -> found.check().equals("dead_tuples")));
    assertThat(findings(Duration.ofHours(1), 1_000)).isEmpty();
  }

  @Test
  void freshDeadRowsAreNoFinding() {
    Pipeline<String, String> pipeline = EngineFixture.single("dead", (text, ctx) -> text);
    engine.client().start(pipeline, "x");
    engine.execute(
        "insert into standpipe_arrival (run_id, need, remaining, node) select gen_random_uuid(), 1, 1, 'n' from generate_series(1, 200)");
    engine.execute("delete from standpipe_arrival");
    await().until(() -> deadRows() > 100);
    assertThat(deadTuples()).isEmpty();
    engine.execute("update standpipe_run set created_at = now() - interval '1 day'");
    assertThat(deadTuples()).hasSize(1);
  }

  private long deadRows() {
    return Long.parseLong(
        engine
            .query(
                "select n_dead_tup from pg_stat_all_tables where relid = 'standpipe_arrival'::regclass")
            .get(0));
  }

  private List<Finding> deadTuples() {
    return findings(Duration.ofHours(1), 100).stream()
        .filter(found -> found.check().equals("dead_tuples"))
        .toList();
  }

  private List<Finding> findings(Duration longTransaction, long dead) {
    return new Doctor(
            source,
            Dialects.of(source),
            Tables.DEFAULT,
            new Limits(Duration.ofSeconds(30), longTransaction, dead))
        .examine();
  }
}

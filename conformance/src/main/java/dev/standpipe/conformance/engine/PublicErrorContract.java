package dev.standpipe.conformance.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.After;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.ApiDriver;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.FailingSource;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.operate.Bulk;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.operate.RunFilter;
import dev.standpipe.outbox.Outbox;
import dev.standpipe.schedule.Schedules;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Whatever a database does, callers get exceptions that they can name and act on. */
public interface PublicErrorContract extends EnginePart {
  /** Every part of the API that reaches the database. */
  private static void drive(ApiDriver driver, Standpipe standpipe, Run<?> run) {
    Operator operator = standpipe.operator("ann");
    driver.call(Standpipe.class, standpipe);
    driver.call(Run.class, run);
    driver.call(After.class, standpipe.after(run));
    driver.call(Operator.class, operator);
    driver.call(Bulk.class, operator.bulk(RunFilter.every()));
    driver.call(Schedules.class, operator.schedules());
    driver.call(Outbox.class, operator.outbox());
    driver.call(Quarantine.class, standpipe.quarantine());
  }

  @Test
  default void aBrokenDatabaseThrowsOnlyPublicExceptions() {
    for (SQLException broken :
        List.of(
            new SQLException("cannot execute UPDATE in a read-only transaction", "25006"),
            new SQLException("could not serialize access", "40001"),
            new SQLException("the connection is gone", "08006"),
            new SQLTransientConnectionException("Connection is not available"))) {
      AtomicReference<SQLException> failing = new AtomicReference<>();
      Pipeline<String, String> pipeline = EngineFixture.single("errors", (text, ctx) -> text);
      Standpipe standpipe =
          engine()
              .start(
                  Standpipe.on(new FailingSource(engine().source(), failing))
                      .outageTolerance(Duration.ZERO)
                      .notifications(false));
      Run<String> run = standpipe.start(pipeline, "x");
      failing.set(broken);
      ApiDriver driver = new ApiDriver(pipeline, run);
      drive(driver, standpipe, run);
      assertThat(driver.failures()).as(broken.toString()).hasSizeGreaterThan(40);
      assertThat(driver.failures().values()).allSatisfy(ApiDriver::assertPublic);
      failing.set(null);
    }
  }

  @Test
  default void missingTablesAreReportedAsSchemaMismatch() {
    Pipeline<String, String> pipeline = EngineFixture.single("missing", (text, ctx) -> text);
    Standpipe standpipe = engine().client();
    Run<String> run = standpipe.start(pipeline, "x");
    List<String> tables = List.of("run", "definition", "quarantine", "pause", "signal");
    tables.forEach(
        name ->
            engine().execute("alter table standpipe_%s rename to gone_%s".formatted(name, name)));
    ApiDriver driver = new ApiDriver(pipeline, run);
    drive(driver, standpipe, run);
    assertThat(driver.failures().values()).allSatisfy(ApiDriver::assertPublic);
    assertThatThrownBy(() -> standpipe.start(pipeline, "x"))
        .isInstanceOfSatisfying(
            StandpipeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
        .hasMessageContaining("tablePrefix(…)");
    tables.forEach(
        name ->
            engine().execute("alter table gone_%s rename to standpipe_%s".formatted(name, name)));
  }

  @Test
  default void foreignTablesAreReportedAsSchemaMismatch() {
    engine().execute("create table theirs_task (id integer)");
    assertThatThrownBy(() -> Standpipe.on(engine().source()).tablePrefix("theirs_").start())
        .isExactlyInstanceOf(StandpipeException.class)
        .hasMessageContaining("not Standpipe's")
        .hasMessageContaining("tablePrefix(…)")
        .satisfies(
            e -> assertThat(((StandpipeException) e).code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH));
  }

  @Test
  default void aLazyPoolsExceptionIsTranslated() {
    assertThatThrownBy(
            () ->
                Standpipe.on(
                        new FailingSource(
                            engine().source(),
                            () -> {
                              throw new IllegalStateException(
                                  "Failed to initialize pool",
                                  new SQLException("password authentication failed", "28P01"));
                            }))
                    .connectTimeout(Duration.ofMinutes(5))
                    .start())
        .isExactlyInstanceOf(StandpipeException.class)
        .satisfies(
            e ->
                assertThat(((StandpipeException) e).code())
                    .isEqualTo(ErrorCode.DATABASE_LOGIN_REFUSED));
  }
}

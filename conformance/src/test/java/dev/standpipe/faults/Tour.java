package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.operate.RunFilter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** A walk through all that needs the database, in a second or two. */
final class Tour {
  private Tour() {}

  /** A retry, a fan-out, a delay, a context, a signal and a join of texts. */
  private static Pipeline<String, String> pipeline() {
    return Pipeline.define(
        "tour",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step(
                    "shaky",
                    String.class,
                    (text, ctx) -> {
                      if (ctx.attempt() == 1) {
                        throw new IllegalStateException("not yet, " + text);
                      }
                      ctx.context().set("seen", text);
                      return text;
                    })
                .retry(Retry.fixed(Duration.ofMillis(1)).limit(2))
                .expand("letters", String.class, text -> List.of(text.split("")))
                .step("twice", String.class, letter -> letter + letter)
                .collapse("whole", String.class, (List<String> all) -> String.join("", all))
                .await("go", String.class)
                .within(Duration.ofDays(1))
                .orHalt());
  }

  /** Takes it on an empty database. */
  static void take(DataSource source) throws InterruptedException, SQLException {
    Pipeline<String, String> pipeline = pipeline();
    try (Standpipe standpipe =
        Standpipe.on(source).serve(pipeline).grace(Duration.ofSeconds(2)).start()) {
      List<Run<String>> runs =
          standpipe.startAll(
              pipeline, List.of("ab", "cd"), text -> RunOptions.key(text).label("i", "I"));
      for (Run<String> run : runs) {
        assertThat(standpipe.signal(run.id(), "go", "done")).isTrue();
        assertThat(run.await(PATIENCE)).isEqualTo("done");
        assertThat(run.value("whole", 0, String.class)).get().asString().hasSize(4);
      }
      assertThat(standpipe.runByKey(pipeline, "ab").orElseThrow().id()).isEqualTo(runs.get(0).id());
      assertThat(standpipe.operator("ann").list(RunFilter.where().label("i", "I"), 10)).hasSize(2);
      Run<String> third = standpipe.start(pipeline, "ef");
      standpipe.operator("ann").cancel(third.id(), "enough");
      assertThat(third.status()).isIn(RunStatus.CANCELED, RunStatus.CANCELING);
      assertThat(standpipe.doctor().stream().filter(found -> !found.check().equals("encoding")))
          .isEmpty();
    }
    prepareAll(source);
  }

  /** Whether every statement is one that this version understands. */
  private static void prepareAll(DataSource source) throws SQLException {
    Dialect dialect = Dialects.of(source);
    try (Connection connection = source.getConnection()) {
      for (Sql.Statement statement :
          new Sql(dialect, new Tables(Optional.empty(), "standpipe_")).all().values()) {
        try (var prepared = connection.prepareStatement(statement.text())) {
          assertThat(prepared.getParameterMetaData().getParameterCount())
              .as(statement.name())
              .isEqualTo(statement.parameters().size());
        }
      }
    }
  }
}

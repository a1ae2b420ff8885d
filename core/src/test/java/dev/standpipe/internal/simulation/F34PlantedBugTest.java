package dev.standpipe.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.standpipe.internal.simulation.Schedules.Played;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Sql.Statement;
import dev.standpipe.internal.store.jdbc.Tables;
import java.util.Collection;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** F34, the other way round: a bug that is put into the engine fails one of its schedules. */
class F34PlantedBugTest {
  private static final Tables TABLES = new Tables(Optional.empty(), "standpipe_");
  private static final Logger EVENTS = (Logger) LoggerFactory.getLogger("dev.standpipe.events");

  @BeforeAll
  static void keepTheLogShort() {
    EVENTS.setLevel(Level.ERROR);
  }

  @AfterAll
  static void logAgain() {
    EVENTS.setLevel(null);
  }

  /** A statement that was rewritten may have left a bug without its place. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "SETTLED_APART"})
  void aPlantedBugChangesAStatement(Mutation mutation) {
    Collection<Statement> statements = new Sql("sqlite", TABLES).all().values();
    assertThat(statements).anyMatch(one -> !mutation.of(one.text()).equals(one.text()));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theSimulationFindsAPlantedBug(Mutation mutation) {
    Optional<Played> failure = Schedules.firstFailure(mutation);
    assertThat(failure).as("a seed that fails with %s", mutation).isPresent();
    System.out.printf(
        "F34: %s found with seed %d: %s%n",
        mutation, failure.get().seed(), failure.get().violations().get(0));
  }
}

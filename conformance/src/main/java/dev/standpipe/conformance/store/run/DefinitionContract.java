package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.PIPELINE;
import static dev.standpipe.conformance.fixture.StoreFixture.graph;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.definition.Graph;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Definitions.Unserved;
import dev.standpipe.internal.port.Store;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Definitions and who serves them. */
public interface DefinitionContract extends StorePart {
  @Test
  default void registeringAGraphTwiceGivesTheSameLane() {
    Definitions definitions = db().store().definitions();
    Graph graph = graph("twice", "a", "b");
    int lane = definitions.register(graph);
    assertThat(definitions.register(graph)).isEqualTo(lane);
    assertThat(definitions.register(graph("twice", "a"))).isNotEqualTo(lane);
    assertThat(db().query("select count(*) from standpipe.definition where pipeline = 'twice'"))
        .containsExactly("2");
    assertThat(lanes(graph)).containsExactly(lane + "|default|null", "parking|null|" + lane);
  }

  /** The lanes of a definition: number, queue, and for which it parks. */
  private List<String> lanes(Graph graph) {
    return db().query(
            """
            select case when l.parks_for is null then cast(l.id as text) else 'parking' end, l.queue, l.parks_for
            from standpipe.lane l join standpipe.definition d on d.id = l.definition_id
            where d.hash = '%s'
            order by l.parks_for is not null"""
                .formatted(graph.hash()));
  }

  @Test
  default void racingRegistrationsMakeOnePairOfLanes() {
    List<Store> stores = List.of(db().another(), db().another(), db().another());
    for (int i = 0; i < 10; i++) {
      Graph graph = graph("raced" + i, "a");
      List<Integer> given =
          Racers.race(3, number -> stores.get(number).definitions().register(graph));
      assertThat(given).containsOnly(given.get(0));
      assertThat(lanes(graph)).hasSize(2);
    }
  }

  @Test
  default void theLastRegisteredDefinitionIsTheNewest() {
    Definitions definitions = db().store().definitions();
    Graph one = graph("changing", "a");
    Graph two = graph("changing", "a", "b");
    for (int i = 0; i < 20; i++) {
      Graph last = i % 2 == 0 ? one : two;
      int lane = definitions.register(last);
      assertThat(definitions.newest("changing")).contains(new Registered(lane, last));
    }
  }

  @Test
  default void aDefinitionIsFoundByItsLaneAlone() {
    Definitions definitions = db().store().definitions();
    assertThat(definitions.byLane(db().lane()))
        .contains(new Registered(db().lane(), graph(PIPELINE, "a")));
    assertThat(definitions.byLane(12_345)).isEmpty();
    String parking = "select id from standpipe.lane where parks_for = " + db().lane();
    assertThat(definitions.byLane(Integer.parseInt(db().query(parking).get(0)))).isEmpty();
    assertThat(definitions.newest("never registered")).isEmpty();
  }

  @Test
  default void theStoreReportsUnservedDefinitions() {
    Definitions definitions = db().store().definitions();
    assertThat(definitions.unserved()).isEmpty();
    db().start();
    Unserved orders = new Unserved(db().lane(), PIPELINE, graph(PIPELINE, "a").hash());
    assertThat(definitions.unserved()).containsExactly(orders);
    UUID process = db().join();
    assertThat(definitions.unserved()).isEmpty();
    db().store().processes().leave(process);
    assertThat(definitions.unserved()).containsExactly(orders);
  }
}

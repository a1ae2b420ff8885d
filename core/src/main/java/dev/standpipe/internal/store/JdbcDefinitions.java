package dev.standpipe.internal.store;

import dev.standpipe.definition.Graph;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The {@code definition} and {@code lane} tables. */
final class JdbcDefinitions implements Definitions {
  private final Database database;

  JdbcDefinitions(Database database) {
    this.database = database;
  }

  @Override
  public int register(Graph graph) {
    return database.inTransaction(
        session -> {
          int definition =
              session
                  .query("definition_register")
                  .set("hash", graph.hash())
                  .set("pipeline", graph.pipeline())
                  .set("graph", graph.json())
                  .first(row -> row.getInt("id"))
                  .orElseThrow();
          return lane(session, definition);
        });
  }

  /** A second registration of the definition waits for its row, and then finds the lanes. */
  private static int lane(Session session, int definition) throws SQLException {
    int lane =
        session
            .query("lane_register")
            .set("definition", definition)
            .first(row -> row.getInt("id"))
            .orElseThrow();
    session.query("lane_register_parking").set("definition", definition).set("lane", lane).update();
    return lane;
  }

  @Override
  public int restore(int lane, Graph graph) {
    boolean there = byLane(lane).map(Registered::hash).equals(Optional.of(graph.hash()));
    return there ? lane : register(graph);
  }

  @Override
  public Optional<Registered> newest(String pipeline) {
    return database.autocommit(
        session ->
            session
                .query("definition_newest")
                .set("pipeline", pipeline)
                .first(JdbcDefinitions::registered));
  }

  @Override
  public List<Registered> all(String pipeline) {
    return database.autocommit(
        session ->
            session
                .query("definition_all")
                .set("pipeline", pipeline)
                .list(JdbcDefinitions::registered));
  }

  @Override
  public List<DefinitionInUse> inFlight() {
    return database.autocommit(
        session ->
            session
                .query("definition_in_flight")
                .list(row -> new DefinitionInUse(registered(row), row.getLong("runs"))));
  }

  @Override
  public Optional<Registered> byLane(int lane) {
    return database.autocommit(
        session ->
            session
                .query("definition_by_lane")
                .set("lane", lane)
                .first(JdbcDefinitions::registered));
  }

  @Override
  public List<Unserved> unserved() {
    return database.autocommit(
        session ->
            session
                .query("definition_unserved")
                .list(
                    row ->
                        new Unserved(
                            row.getInt("lane"), row.getString("pipeline"), row.getString("hash"))));
  }

  private static Registered registered(ResultSet row) throws SQLException {
    return new Registered(
        row.getInt("lane"), row.getString("hash"), Graph.parse(row.getString("graph")));
  }
}

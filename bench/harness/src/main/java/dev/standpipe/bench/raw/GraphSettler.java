package dev.standpipe.bench.raw;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Commits steps that may also branch and arrive. */
final class GraphSettler implements Settler {
  private static final long JOIN_TASK = 0;

  private final Connection connection;
  private final PreparedStatement settle;
  private final PreparedStatement values;
  private final UUID owner;
  private final String[] joined;

  GraphSettler(Connection connection, UUID owner, String[] joined) throws SQLException {
    this.connection = connection;
    this.settle = connection.prepareStatement(Sql.SETTLE_GRAPH.text());
    this.values = connection.prepareStatement(Sql.VALUES.text());
    this.owner = owner;
    this.joined = joined;
  }

  @Override
  public List<Held> settle(List<Outcome> outcomes) throws SQLException {
    bind(outcomes);
    Map<UUID, String> opened = new HashMap<>();
    try (ResultSet row = settle.executeQuery()) {
      while (row.next()) {
        UUID run = row.getObject("run", UUID.class);
        if (run != null) {
          opened.put(run, row.getString("node"));
        } else if (row.getInt("accepted") != outcomes.size()) {
          throw new IllegalStateException("Tasks were taken away, and nobody is here to do so");
        }
      }
    }
    List<Held> next = new ArrayList<>();
    outcomes.forEach(outcome -> next.addAll(outcome.successors()));
    next.addAll(joins(opened));
    return next;
  }

  private void bind(List<Outcome> outcomes) throws SQLException {
    List<Element> elements = new ArrayList<>();
    outcomes.forEach(outcome -> elements.addAll(Element.of(outcome)));
    new Columns(settle)
        .add("uuid", outcomes, o -> o.held().run())
        .add("int8", outcomes, o -> o.held().task())
        .add("int8", outcomes, o -> o.held().token())
        .add("text", outcomes, o -> o.held().node())
        .add("int4", outcomes, Outcome::index)
        .add("text", outcomes, Outcome::next)
        .add("int4", outcomes, Outcome::spawn)
        .add("bool", outcomes, Outcome::isSpread)
        .add("text", outcomes, Outcome::join)
        .add("int4", outcomes, Outcome::need)
        .add("text", outcomes, Outcome::value)
        .add(owner, 4)
        .add("uuid", elements, Element::run)
        .add("text", elements, Element::node)
        .add("int4", elements, Element::index)
        .add("text", elements, Element::value)
        .add(owner, 2);
  }

  /** The joins that opened, with the values of all that arrived there. */
  private List<Held> joins(Map<UUID, String> opened) throws SQLException {
    if (opened.isEmpty()) {
      return List.of();
    }
    values.setArray(1, connection.createArrayOf("uuid", opened.keySet().toArray()));
    values.setArray(2, connection.createArrayOf("text", joined));
    Map<UUID, List<String>> inputs = new HashMap<>();
    try (ResultSet row = values.executeQuery()) {
      while (row.next()) {
        inputs
            .computeIfAbsent(row.getObject(1, UUID.class), run -> new ArrayList<>())
            .add(row.getString(2));
      }
    }
    List<Held> joins = new ArrayList<>();
    inputs.forEach(
        (run, all) ->
            joins.add(
                new Held(run, JOIN_TASK, 1, String.valueOf(opened.get(run)), 0, Bodies.sum(all))));
    return joins;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** One value of a step that was taken apart. */
  private record Element(UUID run, String node, int index, String value) {
    static List<Element> of(Outcome outcome) {
      List<Element> all = new ArrayList<>(outcome.elements().size());
      for (int i = 0; i < outcome.elements().size(); i++) {
        all.add(
            new Element(outcome.held().run(), outcome.held().node(), i, outcome.elements().get(i)));
      }
      return all;
    }
  }
}

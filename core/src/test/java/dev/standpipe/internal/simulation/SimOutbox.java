package dev.standpipe.internal.simulation;

import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.outbox.RelayWorker;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import dev.standpipe.outbox.SinkPolicy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A sink that all processes relay events to: it refuses some, and is away for a time. A trigger
 * keeps what was committed, to be held against what was published (I6).
 */
final class SimOutbox {
  private static final int SUBJECTS = 3;
  private static final SinkPolicy POLICY =
      SinkPolicy.standard()
          .withBatch(4)
          .withPauses(Duration.ofSeconds(1), Duration.ofSeconds(8))
          .withMaxTries(100_000);

  private final Connection connection;
  private final Random dice;
  private final Consumer<String> trace;
  private final Map<UUID, OutboxEvent> published = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int refusals = 40;
  private int awayFor;

  SimOutbox(SimDatabase database, long seed, Consumer<String> trace) throws SQLException {
    this.connection = database.connection();
    this.dice = new Random(seed * 31_337 + 5);
    this.trace = trace;
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "create table committed_event (n integer primary key autoincrement, id text, subject text, run_id text, node text, idx integer)");
      statement.execute(
          "create trigger committed after insert on standpipe_outbox begin insert into committed_event (id, subject, run_id, node, idx) values (new.id, new.aggregateid, new.run_id, new.node, new.idx); end");
    }
  }

  /** The relay of a process. */
  Duty relay(SimProcess process, Events events) {
    Sink sink = Sink.of("sim", POLICY, batch -> {});
    RelayWorker worker =
        new RelayWorker(
            sink,
            process.store().outbox(),
            (to, batch) -> publish(process, batch),
            new RelayWorker.RelayDeps(
                process.machine.freshId(),
                process.machine::nanoTime,
                dice::nextDouble,
                new AtomicBoolean(),
                events));
    return new Duty("relay", () -> worker.work() ? Duration.ZERO : Duration.ofSeconds(1), events);
  }

  private Optional<String> publish(SimProcess process, List<OutboxEvent> batch) {
    if (refusals > 0 && awayFor == 0 && dice.nextInt(20) == 0) {
      awayFor = 1 + dice.nextInt(6);
    }
    if (awayFor > 0) {
      awayFor--;
      refusals--;
      return Optional.of("away");
    }
    for (OutboxEvent event : batch) {
      if (refusals > 0 && dice.nextInt(6) == 0) {
        refusals--;
        return Optional.of("refused");
      }
      trace.accept("    " + process.name + " publishes " + event.id() + " of " + event.subject());
      OutboxEvent before = published.putIfAbsent(event.id(), event);
      if (before != null && !before.payload().equals(event.payload())) {
        violations.add("I6: one id, two events: " + event.id());
      }
    }
    return Optional.empty();
  }

  /** About one of a few subjects, or about its run. */
  static EventOptions about(Step step) {
    int which = Math.floorMod(step.toString().hashCode(), SUBJECTS + 1);
    return which == SUBJECTS ? EventOptions.none() : EventOptions.subject("s" + which);
  }

  /** Whether all that was committed is published and noted. */
  boolean isDrained() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from standpipe_outbox")) {
      return row.next() && row.getInt(1) == 0;
    }
  }

  /** What is published is what was committed, in the order of each subject; one for each step. */
  List<String> judge() throws SQLException {
    Map<String, Integer> places = new HashMap<>();
    Map<UUID, Integer> order = new HashMap<>();
    for (UUID id : published.keySet()) {
      order.put(id, order.size());
    }
    Map<UUID, String> committed = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select id, subject from committed_event order by n")) {
      while (row.next()) {
        UUID id = UUID.fromString(row.getString("id"));
        String subject = row.getString("subject");
        committed.put(id, subject);
        Integer place = order.get(id);
        if (place == null) {
          violations.add("I6: committed and never published: " + id);
        } else if (place < places.getOrDefault(subject, -1)) {
          violations.add("I6: published too early, before one of " + subject + ": " + id);
        } else {
          places.put(subject, place);
        }
      }
    }
    published.keySet().stream()
        .filter(id -> !committed.containsKey(id))
        .forEach(id -> violations.add("I6: published and never committed: " + id));
    judgeSteps();
    return violations;
  }

  private void judgeSteps() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select e.* from (select run_id, node, idx, count(*) as n from committed_event group by 1, 2, 3) e"
                    + " where e.n <> coalesce((select max(turn) from standpipe_turn t where t.run_id = e.run_id"
                    + " and t.node = e.node and t.idx = e.idx), 0)"
                    + " + exists (select 1 from standpipe_result r where r.run_id = e.run_id"
                    + " and r.node = e.node and r.idx in (e.idx, -1 - e.idx) and r.outcome = 1)")) {
      while (row.next()) {
        violations.add(
            "I6: %d events of %s %s, which is not one of each turn, or of a step that succeeded"
                .formatted(row.getInt("n"), row.getString("run_id"), row.getString("node")));
      }
    }
  }
}

package dev.standpipe.internal.simulation;

import dev.standpipe.Pipeline;
import dev.standpipe.StepBody;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Overlap;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.Schedules;
import dev.standpipe.schedule.Timing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A schedule that all processes declare, in some of the simulations. An operator pauses it, resumes
 * it and asks for instants; when faults are over nothing more is fired.
 */
final class SimSchedule {
  static final String PIPELINE = "ticks";
  private static final String NAME = "tick";
  private static final Duration INTERVAL = Duration.ofSeconds(4);

  private final Random dice;
  private final Consumer<String> trace;
  private final boolean used;
  private final Missed missed;
  private final Overlap overlap;
  private final Set<Instant> requested = new HashSet<>();
  private boolean paused;

  SimSchedule(long seed, Consumer<String> trace) {
    this.dice = new Random(seed * 6_700_417 + 4);
    this.trace = trace;
    this.used = dice.nextInt(3) == 0;
    this.missed =
        switch (dice.nextInt(3)) {
          case 0 -> Missed.skip();
          case 1 -> Missed.latest();
          default -> Missed.all(1_000);
        };
    this.overlap = List.of(Overlap.values()).get(dice.nextInt(Overlap.values().length));
  }

  /** What a process declares. */
  List<Schedule<?>> declared(StepBody<String, String> body) {
    if (!used) {
      return List.of();
    }
    Pipeline<String, String> ticks =
        Pipeline.define(
            PIPELINE,
            String.class,
            String.class,
            flow -> flow.input().step("tick", String.class, body));
    return List.of(
        Schedule.of(NAME, ticks, Timing.every(INTERVAL))
            .input(Instant::toString)
            .missed(missed)
            .overlap(overlap));
  }

  /** What an operator does about it now and then. */
  void operate(SimProcess process) {
    if (!used) {
      return;
    }
    switch (dice.nextInt(60)) {
      case 0 -> act("fires " + NAME, process, schedules -> requested.add(schedules.fire(NAME)));
      case 1 ->
          act(
              "pauses " + NAME,
              process,
              schedules -> {
                paused = true;
                schedules.pause(NAME, "on purpose");
              });
      case 2 -> act("resumes " + NAME, process, schedules -> schedules.resume(NAME));
      default -> {}
    }
  }

  /** Fires nothing more from now on but what was asked for. */
  void stop(SimProcess process) {
    if (used) {
      act("stops " + NAME, process, schedules -> schedules.pause(NAME, "faults are over"));
    }
  }

  private void act(String what, SimProcess process, Consumer<Schedules> action) {
    trace.accept(process.name + " " + what);
    try {
      action.accept(process.operator().schedules());
    } catch (StoreException e) {
      trace.accept("    that failed: " + e.failure());
    }
  }

  /** An instant that an operator has asked for has its run; if all are to be fired, all have. */
  List<String> judge(SimDatabase database, boolean clockHasJumped) throws SQLException {
    List<String> violations = new ArrayList<>();
    Set<Instant> started = new HashSet<>();
    List<Instant> regular = new ArrayList<>();
    try (Statement statement = database.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "select fire_at, outcome, requested_by from standpipe_firing order by fire_at")) {
      while (row.next()) {
        Instant at = Instant.EPOCH.plus(Duration.ofNanos(row.getLong("fire_at") * 1000));
        if (row.getString("outcome").equals("started")) {
          started.add(at);
        }
        if (row.getString("requested_by") == null) {
          regular.add(at);
        }
      }
    }
    requested.stream()
        .filter(at -> !started.contains(at))
        .forEach(at -> violations.add("I10: no run of " + at + ", which was asked for"));
    if (missed.policy() == Missed.Policy.ALL && !paused && !clockHasJumped) {
      for (int i = 1; i < regular.size(); i++) {
        if (!regular.get(i).equals(regular.get(i - 1).plus(INTERVAL))) {
          violations.add(
              "I10: no instant between " + regular.get(i - 1) + " and " + regular.get(i));
        }
      }
    }
    return violations;
  }
}

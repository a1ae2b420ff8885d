package dev.standpipe.internal.engine.schedule;

import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.schedule.StoredSchedules.Decision;
import dev.standpipe.internal.schedule.StoredSchedules.DueSchedule;
import dev.standpipe.internal.schedule.StoredSchedules.Fired;
import dev.standpipe.internal.schedule.StoredSchedules.NewSchedule;
import dev.standpipe.schedule.Firing.FiringOutcome;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires schedules whose time has come: those that this process declares, and those that operators
 * have created. Any process may, at any time; the store lets one through. For one thread.
 */
public final class Scheduler implements PeriodicDuty {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");
  private static final int AT_ONCE = 100;
  private static final int DECLARED_AT_ONCE = 1000;

  /** Those that are due and that only other processes can fire. */
  private static final Duration UNFIRED = Duration.ofSeconds(5);

  /** How often it is seen whether a failover has lost what was declared. */
  private static final Duration CHECKED = Duration.ofMinutes(1);

  private final StoredSchedules schedules;
  private final Definitions definitions;
  private final ScheduleInputs inputs;
  private final SchedulerDeps deps;
  private final Map<String, Schedule<?>> declared = new LinkedHashMap<>();
  private final Map<String, Registered> registered = new HashMap<>();
  private final Set<Schedule<?>> undeclared = new LinkedHashSet<>();
  private boolean declaredAll;
  private boolean slow;
  private long openings = -1;

  /**
   * What it works with.
   *
   * @param ids for new runs
   * @param cancel cancels a run, for the reason given
   * @param announce tells all processes that there are tasks to take
   * @param events where it reports
   * @param openings how often its connections were opened so far
   */
  public record SchedulerDeps(
      Supplier<UUID> ids,
      BiConsumer<UUID, String> cancel,
      Runnable announce,
      Events events,
      LongSupplier openings) {}

  public Scheduler(
      StoredSchedules schedules,
      Definitions definitions,
      List<Schedule<?>> declared,
      ScheduleInputs inputs,
      SchedulerDeps deps) {
    this.schedules = schedules;
    this.definitions = definitions;
    this.inputs = inputs;
    this.deps = deps;
    declared.forEach(schedule -> this.declared.put(schedule.name(), schedule));
  }

  @Override
  public String name() {
    return "scheduler";
  }

  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    return news ? seen.nextSchedule() : Optional.empty();
  }

  @Override
  public Duration perform() {
    declare();
    if (!undeclared.isEmpty()) {
      return Duration.ZERO; // the other duties come first
    }
    List<DueSchedule> due = schedules.due(declared.keySet(), AT_ONCE);
    if (!due.isEmpty()) {
      fire(due);
    }
    Duration longest = declared.isEmpty() ? RARELY : CHECKED;
    Duration next = schedules.next().orElse(longest);
    if (next.isZero() && due.isEmpty()) {
      return UNFIRED;
    }
    return next.compareTo(longest) < 0 ? next : longest;
  }

  private void fire(List<DueSchedule> due) {
    List<Fired> fired = new ArrayList<>();
    slow = false;
    for (DueSchedule one : due) {
      if (!slow) { // the others are for the next pass, or one slow schedule would hold up all
        fired.add(decide(one));
      }
    }
    try {
      List<Fired> accepted = schedules.fire(fired);
      if (accepted.stream().anyMatch(Scheduler::starts)) {
        deps.announce().run();
      }
      accepted.forEach(this::tellOfFailures);
    } catch (LaneGoneException e) {
      registered.clear(); // a failover lost the definition: the next pass registers it again
      throw e;
    }
  }

  private static boolean starts(Fired fired) {
    return fired.decisions().stream().anyMatch(decision -> decision.start() != null);
  }

  private void tellOfFailures(Fired fired) {
    for (Decision decision : fired.decisions()) {
      String error = decision.error();
      if (error != null) {
        deps.events().publish(new Event.ScheduleFailed(fired.name(), decision.at(), error));
      }
    }
  }

  /**
   * Tells the database what the program declares, as far as that is not known there; of very many,
   * some in each pass. A connection that was opened again may lead to a server that knows less.
   */
  public void declare() {
    long now = deps.openings().getAsLong();
    if (now != openings) {
      compare();
      openings = now;
    }
    List<Schedule<?>> some = undeclared.stream().limit(DECLARED_AT_ONCE).toList();
    if (!some.isEmpty()) {
      schedules.put(some.stream().map(Scheduler::declaration).toList());
      undeclared.removeAll(some);
    }
    declaredAll |= undeclared.isEmpty();
  }

  /** What another release has changed since this one has declared it stays as that wants it. */
  private void compare() {
    Map<String, Map<String, ScheduleInfo>> stored = new HashMap<>();
    undeclared.clear();
    for (Schedule<?> schedule : declared.values()) {
      ScheduleInfo known =
          stored.computeIfAbsent(schedule.pipeline().name(), this::stored).get(schedule.name());
      if (known == null || (!declaredAll && !isDeclaredAs(known, schedule))) {
        undeclared.add(schedule);
      }
    }
    if (!declaredAll) {
      stored.forEach((pipeline, known) -> warnOfOthers(pipeline, known.keySet()));
    }
  }

  private Map<String, ScheduleInfo> stored(String pipeline) {
    Map<String, ScheduleInfo> byName = new TreeMap<>();
    schedules.declaredFor(pipeline).forEach(info -> byName.put(info.name(), info));
    return byName;
  }

  private static boolean isDeclaredAs(ScheduleInfo known, Schedule<?> schedule) {
    return known.timing().equals(schedule.timing()) && known.policies().equals(schedule.policies());
  }

  private static NewSchedule declaration(Schedule<?> schedule) {
    return new NewSchedule(
        schedule.name(),
        schedule.pipeline().name(),
        schedule.timing(),
        schedule.policies(),
        null,
        null);
  }

  private void warnOfOthers(String pipeline, Set<String> names) {
    names.stream()
        .filter(name -> !declared.containsKey(name))
        .forEach(
            name ->
                LOG.warn(
                    "event=schedule_not_declared schedule={} pipeline={} : this program does not declare it and will not fire it; remove it if no other does",
                    name,
                    pipeline));
  }

  private Fired decide(DueSchedule due) {
    FiringPlan plan = FiringPlan.of(due);
    String name = due.info().name();
    if (plan.cancel()) {
      deps.cancel()
          .accept(due.unended().orElseThrow(), "the schedule \"" + name + "\" fires again");
    }
    List<Decision> decisions = new ArrayList<>();
    plan.start().forEach(at -> decisions.add(start(due, at)));
    plan.skip().forEach(at -> decisions.add(new Decision(at, FiringOutcome.SKIPPED, null, null)));
    return new Fired(name, due.token(), plan.next(), plan.wake(), decisions);
  }

  /** Of a schedule whose inputs are not made in time, one is tried in a pass. */
  private Decision start(DueSchedule due, Instant at) {
    try {
      if (slow) {
        throw NoInputException.slow("The input of an instant before was not made in time");
      }
      return new Decision(at, FiringOutcome.STARTED, run(due, at), null);
    } catch (NoInputException e) {
      slow = e.isSlow();
      return new Decision(at, FiringOutcome.FAILED, null, String.valueOf(e.getMessage()));
    }
  }

  private RunToStart run(DueSchedule due, Instant at) throws NoInputException {
    String name = due.info().name();
    Schedule<?> schedule = declared.get(name);
    String stored = due.input();
    Registered definition =
        stored == null && schedule != null ? ours(schedule) : newest(due.info().pipeline());
    String input = stored != null ? stored : inputs.make(given(schedule, name), at);
    NewRun run =
        new NewRun(
            deps.ids().get(),
            null,
            null,
            0,
            Labels.write(Map.of("schedule", name, "fire_at", at.toString())),
            input,
            jitterMicros(due, at),
            null,
            Starter.followed(definition.graph()));
    return new RunToStart(definition, run, Starter.entries(definition.graph()));
  }

  private static Schedule<?> given(@Nullable Schedule<?> schedule, String name) {
    if (schedule == null) {
      throw new IllegalStateException("Nobody asked for schedule " + name);
    }
    return schedule;
  }

  private Registered ours(Schedule<?> schedule) {
    return registered.computeIfAbsent(
        schedule.pipeline().name(),
        name ->
            new Registered(
                definitions.register(schedule.pipeline().graph()), schedule.pipeline().graph()));
  }

  private Registered newest(String pipeline) throws NoInputException {
    return definitions
        .newest(pipeline)
        .orElseThrow(
            () -> new NoInputException(new UnknownPipelineException(pipeline).getMessage()));
  }

  /** Every process computes the same for one instant. */
  private static long jitterMicros(DueSchedule due, Instant at) {
    long most = due.info().policies().jitter().toNanos() / 1000;
    return most == 0 ? 0 : Math.floorMod((due.info().name() + at).hashCode() * 2654435761L, most);
  }
}

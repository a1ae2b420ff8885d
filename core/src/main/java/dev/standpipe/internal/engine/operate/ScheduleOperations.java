package dev.standpipe.internal.engine.operate;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownScheduleException;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.schedule.ScheduleName;
import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.schedule.StoredSchedules.NewSchedule;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Schedules;
import dev.standpipe.schedule.Timing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** What an operator does to schedules. */
public final class ScheduleOperations implements Schedules {
  private static final int MOST_SHOWN = 1000;
  private static final int MOST_FILLED = 10_000;

  private final String by;
  private final Store store;
  private final StoredSchedules schedules;
  private final BiFunction<Registered, Object, String> encode;
  private final Runnable announce;

  /**
   * In somebody's name.
   *
   * @param encode writes the input of a pipeline's runs
   * @param announce tells all processes that there is something to do
   */
  public ScheduleOperations(
      String by, Store store, BiFunction<Registered, Object, String> encode, Runnable announce) {
    this.by = by;
    this.store = store;
    this.schedules = store.schedules();
    this.encode = encode;
    this.announce = announce;
  }

  @Override
  public List<ScheduleInfo> list() {
    return schedules.list();
  }

  @Override
  public Optional<ScheduleInfo> find(String name) {
    return schedules.find(Required.given(name, "name of the schedule"));
  }

  @Override
  public List<Firing> history(String name, int limit) {
    require(limit >= 1 && limit <= MOST_SHOWN, "The limit must be 1 to 1000, was " + limit);
    known(name);
    return schedules.history(name, limit);
  }

  @Override
  public void create(String name, String pipeline, Timing timing, Object input, Policies policies) {
    ScheduleName.require(name);
    Required.given(pipeline, "name of the pipeline");
    Required.given(timing, "timing of the schedule");
    Required.given(policies, "policies of the schedule");
    Registered definition =
        store
            .definitions()
            .newest(pipeline)
            .orElseThrow(() -> new UnknownPipelineException(pipeline));
    String encoded = encode.apply(definition, input);
    NewSchedule created = new NewSchedule(name, pipeline, timing, policies, encoded, by);
    require(
        schedules.put(List.of(created)).isEmpty(),
        "Programs declare the schedule \"%s\": change it there, or take another name. Nothing was changed."
            .formatted(name));
    announce.run();
  }

  @Override
  public void remove(String name) {
    if (!schedules.remove(Required.given(name, "name of the schedule"))) {
      throw new UnknownScheduleException(name);
    }
  }

  @Override
  public boolean pause(String name, String reason) {
    known(name);
    Required.given(reason, "reason");
    require(!reason.isBlank(), "Say why the schedule is paused: the reason is empty");
    return schedules.pause(name, by, reason);
  }

  @Override
  public boolean resume(String name) {
    known(name);
    boolean resumed = schedules.resume(name);
    announce.run();
    return resumed;
  }

  @Override
  public Instant fire(String name) {
    known(name);
    Instant now = schedules.now();
    schedules.request(name, List.of(now), by);
    announce.run();
    return now;
  }

  @Override
  public int backfill(String name, Instant from, Instant until) {
    ScheduleInfo schedule = known(name);
    Required.given(from, "first instant");
    Required.given(until, "end");
    require(from.isBefore(until), "The time from %s until %s is empty".formatted(from, until));
    Instant now = schedules.now();
    require(
        !until.isAfter(now),
        "Only past instants are fired late, and %s is in the future: it is %s"
            .formatted(until, now));
    List<Instant> instants =
        schedule.timing().next(from.minusNanos(1), MOST_FILLED + 1).stream()
            .filter(at -> at.isBefore(until))
            .toList();
    require(
        instants.size() <= MOST_FILLED,
        "From %s until %s are more than %d instants: take a shorter time"
            .formatted(from, until, MOST_FILLED));
    int requested = instants.isEmpty() ? 0 : schedules.request(name, instants, by);
    announce.run();
    return requested;
  }

  private ScheduleInfo known(String name) {
    return find(name).orElseThrow(() -> new UnknownScheduleException(name));
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new StandpipeException(ErrorCode.INVALID_ARGUMENT, message);
    }
  }
}

package dev.standpipe.cli.schedules;

import dev.standpipe.schedule.ScheduleInfo;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A schedule as it is printed. */
final class Row {
  private Row() {}

  static Map<String, Object> of(ScheduleInfo schedule) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("schedule", schedule.name());
    map.put("pipeline", schedule.pipeline());
    map.put("timing", schedule.timing().toString());
    map.put("missed", word(schedule.policies().missed().policy()));
    map.put("overlap", word(schedule.policies().overlap()));
    map.put("declared", schedule.declared() ? "by programs" : "by an operator");
    map.put("next", schedule.next().map(Object::toString).orElse("never"));
    schedule.paused().ifPresent(paused -> map.put("paused", paused.by() + ": " + paused.reason()));
    return map;
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

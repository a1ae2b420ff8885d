package dev.standpipe.cli.schedules;

import dev.standpipe.error.UnknownScheduleException;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.ScheduleInfo;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe schedules show}. */
@Command(name = "show", description = "Show a schedule, its next instants and what it fired last.")
final class ShowCommand implements Runnable {
  private static final int UPCOMING = 5;
  private static final int FIRED = 10;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Override
  public void run() {
    subject.read(
        schedules -> {
          ScheduleInfo schedule =
              schedules
                  .find(subject.name())
                  .orElseThrow(() -> new UnknownScheduleException(subject.name()));
          print(schedule, schedules.history(subject.name(), FIRED));
        });
  }

  private void print(ScheduleInfo schedule, List<Firing> fired) {
    PrintWriter out = spec.commandLine().getOut();
    Map<String, Object> row = Row.of(schedule);
    List<String> upcoming = schedule.upcoming(UPCOMING).stream().map(Object::toString).toList();
    List<Map<String, String>> history = fired.stream().map(ShowCommand::map).toList();
    if (subject.json()) {
      row.put("upcoming", upcoming);
      row.put("history", history);
      out.println(JsonMapper.shared().writeValueAsString(row));
    } else {
      row.forEach((name, value) -> out.println(name + ": " + value));
      upcoming.forEach(at -> out.println("upcoming: " + at));
      history.forEach(one -> out.println(String.join("  ", one.values())));
    }
    out.flush();
  }

  private static Map<String, String> map(Firing firing) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("at", firing.at().toString());
    map.put("outcome", Row.word(firing.outcome()));
    firing.run().ifPresent(run -> map.put("run", run.toString()));
    firing.error().ifPresent(error -> map.put("error", error));
    return map;
  }
}

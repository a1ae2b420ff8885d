package dev.standpipe.cli.schedules;

import dev.standpipe.cli.Confirmation;
import dev.standpipe.cli.database.Target;
import dev.standpipe.schedule.Schedules;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which schedule something is done to, by whom, and how it is confirmed. */
final class Subject {
  @Mixin private Target target = new Target();

  @Parameters(paramLabel = "SCHEDULE", description = "The name of the schedule.")
  private String name = "";

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who decides; by default who is logged in.")
  private String by = "";

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  String name() {
    return name;
  }

  boolean json() {
    return json;
  }

  /** Does it, and says what was done. */
  void change(PrintWriter out, Function<Schedules, String> work) {
    target.with(
        standpipe -> {
          String done = work.apply(standpipe.operator(by).schedules());
          new Confirmation("schedule", name, done).print(out, json);
        });
  }

  /** Reads something of it. */
  void read(Consumer<Schedules> work) {
    target.with(standpipe -> work.accept(standpipe.operator(by).schedules()));
  }
}

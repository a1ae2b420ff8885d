package dev.standpipe.cli.outbox;

import dev.standpipe.cli.Confirmation;
import dev.standpipe.cli.database.Target;
import dev.standpipe.outbox.Outbox;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which sink something is done to, by whom, and how it is confirmed. */
final class NamedSink {
  @Mixin private Target target = new Target();

  @Parameters(index = "0", paramLabel = "SINK", description = "The name of the sink.")
  private String name = "";

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who decides; by default who is logged in.")
  private String by = "";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  String name() {
    return name;
  }

  /** Does it, and says what was done. */
  void change(PrintWriter out, Function<Outbox, String> work) {
    target.with(
        standpipe -> {
          String done = work.apply(standpipe.operator(by).outbox());
          new Confirmation("sink", name, done).print(out, json);
        });
  }

  /** Prints something of it. */
  void read(PrintWriter out, Function<Outbox, List<Map<String, Object>>> work) {
    target.with(standpipe -> Printed.print(out, work.apply(standpipe.operator(by).outbox()), json));
  }
}

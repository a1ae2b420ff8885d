package dev.standpipe.cli.run;

import dev.standpipe.Run;
import dev.standpipe.cli.database.Target;
import java.io.PrintWriter;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe run show}. */
@Command(
    name = "show",
    description =
        "Show a run, its steps with their values, what it waits for, and tries that failed.")
final class ShowCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private RunId id = new RunId();

  @Option(names = "--traces", description = "Show the stack traces of errors in full.")
  private boolean traces;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public void run() {
    UUID run = id.id();
    target.with(
        standpipe -> {
          Run<?> found = standpipe.run(run);
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(Report.json(found));
          } else {
            Report.lines(found, traces).forEach(out::println);
          }
          out.flush();
        });
  }
}

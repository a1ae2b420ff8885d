package dev.standpipe.cli.quarantine;

import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.QuarantinedStep;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe quarantine list}. */
@Command(name = "list", description = "List the steps in quarantine, the longest first.")
final class ListCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most, 1 to 1000; ${DEFAULT-VALUE} by default.")
  private int limit;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public void run() {
    target.with(
        standpipe -> {
          List<QuarantinedStep> steps = standpipe.quarantine().list(limit);
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(Report.json(steps));
          } else {
            Report.lines(steps).forEach(out::println);
          }
          out.flush();
        });
  }
}

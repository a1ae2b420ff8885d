package dev.standpipe.cli.quarantine;

import dev.standpipe.cli.database.Target;
import dev.standpipe.info.StepId;
import dev.standpipe.operate.QuarantinedStep;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code standpipe quarantine show}. */
@Command(name = "show", description = "Show a step in quarantine and the processes that died.")
final class ShowCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Parameters(paramLabel = "STEP", description = "The step, as list prints it: run/node/index.")
  private String step = "";

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public void run() {
    StepId id = StepId.parse(step);
    target.with(
        standpipe -> {
          QuarantinedStep found = standpipe.quarantine().inspect(id);
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(Report.json(found));
          } else {
            Report.details(found).forEach(out::println);
          }
          out.flush();
        });
  }
}

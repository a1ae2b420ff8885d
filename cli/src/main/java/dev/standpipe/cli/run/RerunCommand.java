package dev.standpipe.cli.run;

import dev.standpipe.cli.database.Target;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe run rerun}. */
@Command(name = "rerun", description = "Start a new run on the same input.")
final class RerunCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    UUID run = decision.run();
    target.with(
        standpipe -> {
          UUID again = standpipe.operator(decision.by()).rerun(run, decision.reason());
          decision.confirm(
              spec.commandLine().getOut(),
              "started again",
              "rerun",
              again.toString(),
              "the new run is " + again);
        });
  }
}

package dev.standpipe.cli.run;

import dev.standpipe.cli.database.Target;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe run resume}. */
@Command(name = "resume", description = "Let a paused run go on.")
final class ResumeCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    UUID run = decision.run();
    target.with(
        standpipe -> {
          standpipe.operator(decision.by()).resume(run, decision.reason());
          decision.confirm(spec.commandLine().getOut(), "resumed", "changed", true, "it goes on");
        });
  }
}

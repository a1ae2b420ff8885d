package dev.standpipe.cli.quarantine;

import dev.standpipe.cli.database.Target;
import dev.standpipe.info.StepId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe quarantine release}. */
@Command(name = "release", description = "Let a step's run go on, with a fresh crash budget.")
final class ReleaseCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    StepId step = decision.step();
    target.with(s -> s.quarantine().release(step, decision.by(), decision.reason()));
    decision.confirm(spec.commandLine().getOut(), "released", "its run goes on");
  }
}

package dev.standpipe.cli.quarantine;

import dev.standpipe.cli.database.Target;
import dev.standpipe.info.StepId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe quarantine discard}. */
@Command(name = "discard", description = "Give a step up; its run stays halted.")
final class DiscardCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    StepId step = decision.step();
    target.with(s -> s.quarantine().discard(step, decision.by(), decision.reason()));
    decision.confirm(spec.commandLine().getOut(), "discarded", "its run stays halted");
  }
}

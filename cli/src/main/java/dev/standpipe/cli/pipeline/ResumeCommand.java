package dev.standpipe.cli.pipeline;

import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe pipeline resume}. */
@Command(name = "resume", description = "Let a paused pipeline go on.")
final class ResumeCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    target.with(
        standpipe -> {
          resume(standpipe.operator(decision.by()));
          decision.confirm(spec.commandLine().getOut(), "resumed", true, "it goes on");
        });
  }

  private void resume(Operator operator) {
    decision
        .lane()
        .ifPresentOrElse(
            lane -> operator.resume(lane, decision.reason()),
            () -> operator.resume(decision.pipeline(), decision.reason()));
  }
}
